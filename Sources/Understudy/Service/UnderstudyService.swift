internal import BusinessLogic
internal import CoreMetrics
public import Logging
public import MicroHTTP

/// Serves controllers as pages: takes requests, gives each session its own controllers, and answers with the commands that
/// they gave.
///
/// It knows no socket: ``UnderstudyServer`` puts it behind one, and anybody else may call ``respond(to:)``. May be called
/// from any number of tasks at once; the events of one session run one at a time, in the order in which they came.
public final class UnderstudyService: Sendable {
    let pages: Pages
    let rules: [ValidationRule]
    let configuration: ServiceConfiguration
    let store: MemorySessionStore
    let openAPI: OpenAPIDocument
    let metrics: ServiceMetrics
    private let accessLog: AccessLog
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
        store = MemorySessionStore(limits: configuration.sessions, metrics: metrics.sessions)
        metrics.beforeScrape { [store, sessions = metrics.sessions] in
            sessions.live.set(store.count)
            sessions.bytes.set(store.memorySize)
        }
        openAPI = OpenAPIDocument(
            pages: pages,
            rules: configuration.rules,
            below: configuration.pathPrefix,
            title: configuration.title,
            version: configuration.version
        )
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

    /// The header fields that every answer carries, beside the request's id.
    public static let commonHeaders: [(name: String, value: String)] = [
        ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ]

    /// The header field that every answer over TLS carries (RFC 6797): for a year browsers come back by https only.
    public static let strictTransport = (name: "Strict-Transport-Security", value: "max-age=31536000")

    /// The response to a request, with all header fields that a server would add: ``commonHeaders`` and `X-Request-ID`.
    ///
    /// May be called by any number of tasks at once. What limits clients by their address counts the request for its
    /// `clientAddress`. A `Host` is not checked: that is the matter of the server that has received the request.
    public func respond(to request: Request) async -> Response {
        var response = await answer(request)
        response.headers = Self.commonHeaders + [("X-Request-ID", request.id)] + response.headers
        return response
    }

    /// What a server hands requests to that it has received over a socket, such as a `Server` of MicroHTTP. The server adds
    /// ``commonHeaders`` and `X-Request-ID` to its responses, as ``UnderstudyServer`` does.
    public var responder: any Responder { ServiceResponder(service: self) }

    /// The response to a request without the header fields that every response has.
    func answer(_ request: Request) async -> Response {
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
        if !configuration.allowedOrigins.origins.isEmpty {
            response.headers += configuration.allowedOrigins.headers(for: request)
        }
        let elapsed = record.elapsed
        metrics.count(record, status: response.status, after: elapsed)
        accessLog.write(request, record, status: response.status, after: elapsed)
        return response
    }

    func refuse(_ refusal: RequestRejection, id: String) -> Response {
        let problem = Problem(refusal)
        metrics.count(refusal: problem.code)
        accessLog.write(refused: problem, id: id)
        return problem.response(id: id, below: configuration.pathPrefix)
    }

    func refuse(_ refusal: RequestRejection, of request: Request) -> Response {
        var response = refuse(refusal, id: request.id)
        response.headers += configuration.allowedOrigins.headers(for: request)
        return response
    }

    func loopWasHeld(by request: Request?, for duration: Duration) {
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
        store.removeExpired(at: configuration.clock.now)
    }

    /// Ends all sessions that a user is logged in to: who is there has to log in again.
    ///
    /// - Parameter user: the user's id.
    public func endSessions(ofUser user: String) async throws {
        store.removeSessions(ofUser: user)
    }

    var isDraining: Bool { draining.hasStarted }
}
