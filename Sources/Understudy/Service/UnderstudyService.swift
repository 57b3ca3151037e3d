internal import BusinessLogic
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
    private let memory: MemorySessionStore
    private let logger: Logger
    private let draining = Draining()

    /// A service of those pages, of which no two may have the same name.
    public init(
        pages: [Page],
        configuration: ServiceConfiguration = ServiceConfiguration(),
        logger: Logger = Logger(label: "understudy")
    ) {
        self.pages = Pages(pages)
        self.configuration = configuration
        self.logger = logger
        memory = MemorySessionStore(limits: configuration.sessions)
        store = memory
        openAPI = OpenAPIDocument(pages: pages)
    }

    /// Understudy's version.
    public static let version = "0.1.0"

    /// The header fields that every answer carries, beside the request's id.
    public static let commonHeaders: [(name: String, value: String)] = [
        ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ]

    public func respond(to request: Request) async -> Response {
        do {
            if request.method == .post, let page = pages[path: request.target] {
                return try await post(request, to: page)
            }
            return try await route(request)
        } catch {
            return response(to: error, request)
        }
    }

    public func refuse(_ refusal: Refusal, id: String) -> Response {
        Problem(refusal).response(id: id)
    }

    /// The OpenAPI 3.1 document of the pages and of the service itself, as YAML.
    public var openAPIDocument: String { openAPI.yaml }

    /// Makes `/readyz` say that no more requests are wanted.
    public func startDraining() {
        draining.start()
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
        if let problem = Problem(error) { return problem.response(id: request.id) }
        if error is CancellationError {
            let problem = Problem(.overloaded, "The event's turn did not come in time.", retryAfter: .seconds(1))
            return problem.response(id: request.id)
        }
        logger.error(
            "The request failed",
            metadata: [
                "request": "\(request.id)", "method": "\(request.method)", "path": "\(request.path)",
                "error": "\(error)",
            ]
        )
        return Problem(.internal).response(id: request.id)
    }

    /// Finds what is at the path, and whether it answers the method. HEAD works where GET does.
    private func route(_ request: Request) async throws -> Response {
        let path = String(request.path)
        let method = request.method == .head ? .get : request.method
        if let page = pages[path: path] {
            switch method {
            case .get: return try await show(page, request)
            case .post: return try await post(request, to: page)
            default: throw Problem(methodNotAllowed: request.method, allowed: [.get, .post])
            }
        }
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
    fileprivate init(methodNotAllowed method: Method, allowed: [Method]) {
        let allowed = allowed.contains(.get) ? allowed + [.head] : allowed
        self.init(
            .methodNotAllowed,
            "\(method) is not answered here. Allowed: \(allowed.map(\.rawValue).joined(separator: ", ")).",
            allow: allowed
        )
    }
}
