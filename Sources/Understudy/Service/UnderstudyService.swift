internal import BusinessLogic
internal import CoreMetrics
public import Logging
public import MicroHTTP

/// Serves controllers as pages: takes requests, gives each session its own controllers, and answers with the commands that
/// they gave.
///
/// It knows no socket: ``UnderstudyServer`` puts it behind one, and anybody else may call ``respond(to:)``. May be called
/// from any number of tasks at once; the events of one session run one at a time, in the order in which they came.
public final class UnderstudyService: Responder {
    let pages: Pages
    let rules: [ValidationRule]
    let configuration: ServiceConfiguration
    let store: any SessionStore
    let openAPI: OpenAPIDocument
    let metrics: ServiceMetrics
    private let accessLog: AccessLog
    let memory: MemorySessionStore
    let logger: Logger
    private let draining = Draining()
    private let requestLimit: RequestLimit?
    private let liveness = Liveness()

    /// A service of those pages, of which no two may have the same name.
    public init(
        pages: [Page],
        configuration: ServiceConfiguration = ServiceConfiguration(),
        logger: Logger = Logger(label: "understudy")
    ) {
        self.pages = Pages(pages, below: configuration.pathPrefix)
        self.configuration = configuration
        rules = Self.unique(pages.flatMap(\.rules) + configuration.rules)
        self.logger = logger
        metrics = ServiceMetrics(pages: pages, factory: configuration.metrics)
        accessLog = AccessLog(configuration.accessLogger, below: configuration.pathPrefix)
        memory = MemorySessionStore(limits: configuration.sessions, metrics: metrics.sessions)
        store = memory
        metrics.beforeScrape { [memory, sessions = metrics.sessions] in
            sessions.live.set(memory.count)
            sessions.bytes.set(memory.memorySize)
        }
        openAPI = OpenAPIDocument(pages: pages, rules: configuration.rules, below: configuration.pathPrefix)
        requestLimit = configuration.requests.map {
            RequestLimit($0, limitsLoopback: configuration.limitsLoopback)
        }
    }

    private static func unique(_ rules: [ValidationRule]) -> [ValidationRule] {
        var names: Set<String> = []
        for rule in rules {
            precondition(names.insert(rule.name).inserted, "the rule '\(rule.name)' is registered twice")
        }
        return rules
    }

    /// Understudy's version.
    public static let version = "0.1.0"

    /// The header fields that every response has, with `X-Request-ID`.
    static let commonHeaders = CommonHeaders([(.cacheControl, "no-store"), ("X-Content-Type-Options", "nosniff")])

    /// The response to a request, with all its header fields.
    ///
    /// May be called by any number of tasks at once. What limits clients by their address counts the request for its
    /// `clientAddress`. A `Host` is not checked: that is the matter of the server that has received the request.
    public func respond(to request: Request) async -> Response {
        var record = RequestRecord()
        var response: Response
        do {
            try requestLimit?.admit(request, below: configuration.pathPrefix, clock: configuration.clock)
            try request.requireSameSite(orOneOf: configuration.allowedOrigins)
            if request.method == .post, let page = pages[path: request.target] {
                response = try await post(request, to: page, &record)
            } else {
                response = try await route(request, &record)
            }
        } catch {
            response = self.response(to: error, request)
        }
        response.addCommonHeaders(requestID: request.id)
        if !configuration.allowedOrigins.origins.isEmpty {
            response.headers += configuration.allowedOrigins.headers(for: request)
        }
        let elapsed = record.elapsed
        metrics.count(record, status: response.status, after: elapsed)
        accessLog.write(request, record, status: response.status, after: elapsed)
        return response
    }

    /// The response to a request that the server has rejected.
    public func reject(_ rejection: RequestRejection, of request: Request) -> Response {
        let problem = Problem(rejection)
        metrics.count(refusal: problem.code)
        accessLog.write(refused: problem, id: request.id)
        var response = problem.response(id: request.id, below: configuration.pathPrefix)
        response.addCommonHeaders(requestID: request.id)
        response.headers += configuration.allowedOrigins.headers(for: request)
        return response
    }

    /// Logs that a controller has blocked an event loop, and counts it.
    public func loopWasHeld(by request: Request?, for duration: Duration) {
        metrics.countHeldLoop()
        var metadata: Logger.Metadata = ["duration": .stringConvertible(duration / .milliseconds(1))]
        if let request {
            metadata["request"] = .string(request.id)
            metadata["path"] = .string(String(request.path.prefix(100)))
        }
        logger.warning("A controller held its event loop; all other clients of the loop waited", metadata: metadata)
    }

    /// The name of each metric that the service counts by, with what it means.
    public static var metricDescriptions: [String: String] { ServiceMetrics.descriptions }

    /// The OpenAPI 3.1 document of the pages and of the service itself, as YAML.
    public var openAPIDocument: String { openAPI.yaml }

    /// Makes `/readyz` say that no more requests are wanted.
    public func startDraining() {
        draining.start()
    }

    /// Whether every event loop that serves this is well; false while one has been held up for more than five seconds.
    public var isAlive: Bool { liveness.isAlive }

    /// Has `/livez` and ``isAlive`` say what the check says.
    func watch(_ check: @escaping @Sendable () -> Bool) {
        liveness.watch(check)
    }

    /// Removes sessions that have expired. Call now and then; those that are asked for are refused in any case.
    public func removeExpiredSessions() {
        memory.removeExpired(at: configuration.clock.now)
    }

    /// Ends all sessions that a user is logged in to: who is there has to log in again.
    ///
    /// - Parameter user: the user's id.
    public func endSessions(ofUser user: String) async throws {
        try await store.removeSessions(ofUser: user)
    }

    var isDraining: Bool { draining.hasStarted }

    private func response(to error: any Error, _ request: Request) -> Response {
        if let problem = problem(behind: error) {
            metrics.count(refusal: problem.code)
            return problem.response(id: request.id, below: configuration.pathPrefix)
        }
        metrics.count(refusal: .internal)
        logger.error(
            "The request failed",
            metadata: [
                "request": "\(request.id)", "method": "\(request.method)", "path": "\(request.path)",
                "error": "\(error)",
            ]
        )
        return Problem(.internal).response(id: request.id, below: configuration.pathPrefix)
    }

    /// The problem that a client is told of; `nil` where it may not know what went wrong.
    private func problem(behind error: any Error) -> Problem? {
        guard error is CancellationError else { return Problem(error) }
        return Problem(.overloaded, "The event's turn did not come in time.", retryAfter: .seconds(1))
    }

    /// Finds what is at the path, and whether it answers the method. HEAD works where GET does, OPTIONS everywhere.
    private func route(_ request: Request, _ record: inout RequestRecord) async throws -> Response {
        let path = String(request.path)
        let page = pages[path: path]
        if let page { record.page = page }
        switch request.method {
        case .options:
            return try configuration.allowedOrigins.preflight(request)
                ?? Response(status: 204, headers: [(.allow, methods(at: path).text)])
        case .get, .head:
            if let page { return try await show(page, request) }
        case .post:
            if let page { return try await post(request, to: page, &record) }
        default:
            break
        }
        let method = request.method == .head ? .get : request.method
        if let route = routes(at: path).first(where: { $0.method == method }) {
            return try await route.handle(self, request)
        }
        throw Problem(methodNotAllowed: request.method, allowed: try methods(at: path))
    }

    /// What the service itself answers at a path.
    private func routes(at path: String) -> [Route] {
        guard let path = configuration.pathPrefix.local(path[...]) else { return [] }
        return Route.all.filter { $0.matches(path) }
    }

    /// The methods that are answered at a path; at `*`, which is the server as such, those that are anywhere.
    ///
    /// - Throws: ``Problem`` `unknownPage` where nothing is there.
    private func methods(at path: String) throws(Problem) -> [Method] {
        if path == "*" { return [.get, .post, .delete, .head, .options] }
        let methods = pages[path: path] == nil ? routes(at: path).map(\.method) : [.get, .post]
        if methods.isEmpty {
            let prefix = configuration.pathPrefix
            let advice = prefix.local(path[...]) == nil ? " What there is, is below '\(prefix)/'." : ""
            throw Problem(
                .unknownPage,
                "There is nothing at '\(path)'.\(advice)",
                members: ["pages": .array(pages.all.map { .string($0.name) })]
            )
        }
        return methods + (methods.contains(.get) ? [.head] : []) + [.options]
    }
}

extension Response {
    /// Adds the header fields that every response of the service has.
    mutating func addCommonHeaders(requestID: String) {
        common = UnderstudyService.commonHeaders
        self.requestID = requestID
    }
}

extension Problem {
    /// - Parameter allowed: the methods that are answered; HEAD is among them where GET is.
    init(methodNotAllowed method: Method, allowed: [Method]) {
        self.init(.methodNotAllowed, "\(method) is not answered here. Allowed: \(allowed.text).", allow: allowed)
    }
}

extension [Method] {
    /// The methods as the header Allow lists them.
    var text: String { map(\.rawValue).joined(separator: ", ") }
}
