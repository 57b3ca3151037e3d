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
    let configuration: ServiceConfiguration
    let store: any SessionStore
    let openAPI: OpenAPIDocument
    let metrics: ServiceMetrics
    private let accessLog: AccessLog
    private let memory: MemorySessionStore
    private let logger: Logger
    private let draining = Draining()
    private let requestLimit: RequestLimit?
    private let liveness = Liveness()

    /// A service of those pages, of which no two may have the same name.
    public init(
        pages: [Page],
        configuration: ServiceConfiguration = ServiceConfiguration(),
        logger: Logger = Logger(label: "understudy")
    ) {
        self.pages = Pages(pages)
        self.configuration = configuration
        self.logger = logger
        metrics = ServiceMetrics(pages: pages, factory: configuration.metrics)
        accessLog = AccessLog(configuration.accessLogger)
        memory = MemorySessionStore(limits: configuration.sessions, metrics: metrics.sessions)
        store = memory
        metrics.beforeScrape { [memory, sessions = metrics.sessions] in sessions.live.set(memory.count) }
        openAPI = OpenAPIDocument(pages: pages)
        requestLimit = configuration.requests.map {
            RequestLimit($0, limitsLoopback: configuration.limitsLoopback)
        }
    }

    /// Understudy's version.
    public static let version = "0.1.0"

    /// The header fields that every answer carries, beside the request's id.
    public static let commonHeaders: [(name: String, value: String)] = [
        ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ]

    /// The header field that every answer over TLS carries (RFC 6797): for a year browsers come back by https only.
    public static let strictTransport = (name: "Strict-Transport-Security", value: "max-age=31536000")

    public func respond(to request: Request) async -> Response {
        var record = RequestRecord()
        let response: Response
        do {
            try requestLimit?.admit(request, clock: configuration.clock)
            if request.method == .post, let page = pages[path: request.target] {
                response = try await post(request, to: page, &record)
            } else {
                response = try await route(request, &record)
            }
        } catch {
            response = self.response(to: error, request)
        }
        let elapsed = record.elapsed
        metrics.count(record, status: response.status, after: elapsed)
        accessLog.write(request, record, status: response.status, after: elapsed)
        return response
    }

    public func refuse(_ refusal: Refusal, id: String) -> Response {
        let problem = Problem(refusal)
        metrics.count(refusal: problem.code)
        accessLog.write(refused: problem, id: id)
        return problem.response(id: id)
    }

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
            return problem.response(id: request.id)
        }
        metrics.count(refusal: .internal)
        logger.error(
            "The request failed",
            metadata: [
                "request": "\(request.id)", "method": "\(request.method)", "path": "\(request.path)",
                "error": "\(error)",
            ]
        )
        return Problem(.internal).response(id: request.id)
    }

    /// The problem that a client is told of; `nil` where it may not know what went wrong.
    private func problem(behind error: any Error) -> Problem? {
        guard error is CancellationError else { return Problem(error) }
        return Problem(.overloaded, "The event's turn did not come in time.", retryAfter: .seconds(1))
    }

    /// Finds what is at the path, and whether it answers the method. HEAD works where GET does. What is asked of the
    /// server as such, `*`, is not answered.
    private func route(_ request: Request, _ record: inout RequestRecord) async throws -> Response {
        let path = String(request.path)
        let method = request.method == .head ? .get : request.method
        if let page = pages[path: path] {
            record.page = page
            switch method {
            case .get: return try await show(page, request)
            case .post: return try await post(request, to: page, &record)
            default: throw Problem(methodNotAllowed: request.method, allowed: [.get, .post])
            }
        }
        if path == "*" { throw Problem(methodNotAllowed: request.method, allowed: [.get, .post, .delete]) }
        let routes = Route.all.filter { $0.matches(path) }
        if let route = routes.first(where: { $0.method == method }) { return try await route.handle(self, request) }
        if routes.isEmpty {
            throw Problem(
                .unknownPage,
                "There is nothing at '\(path)'.",
                members: ["pages": .array(pages.all.map { .string($0.name) })]
            )
        }
        throw Problem(methodNotAllowed: request.method, allowed: routes.map(\.method))
    }
}

extension Problem {
    init(methodNotAllowed method: Method, allowed: [Method]) {
        let allowed = allowed.contains(.get) ? allowed + [.head] : allowed
        self.init(
            .methodNotAllowed,
            "\(method) is not answered here. Allowed: \(allowed.map(\.rawValue).joined(separator: ", ")).",
            allow: allowed
        )
    }
}
