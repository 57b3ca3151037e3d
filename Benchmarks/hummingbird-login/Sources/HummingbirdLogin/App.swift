import HTTPTypes
import Hummingbird
import Logging
import NIOPosix

/// `hummingbird-login PORT [LOOPS]`: serves the login and registration pages on 127.0.0.1, and logs each request to standard
/// error. LOOPS is the number of event-loop threads; one, the default, is the counterpart of one Understudy loop.
@main
struct App {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
        guard (1...2).contains(arguments.count), arguments.allSatisfy({ $0 > 0 }) else {
            fatalError("usage: hummingbird-login PORT [LOOPS]")
        }
        let (port, loops) = (arguments[0], arguments.count == 2 ? arguments[1] : 1)
        LoggingSystem.bootstrap(StreamLogHandler.standardError(label:))
        let application = Application(
            router: makeRouter(sessions: SessionStore()),
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: loops)),
            logger: Logger(label: "hummingbird-login")
        )
        try await application.runService()
    }
}

/// The routes that the benchmark calls.
func makeRouter(sessions: SessionStore) -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: LogRequestsMiddleware(.info))
    router.add(middleware: CommonHeaders())
    router.get("livez") { _, _ in HTTPResponse.Status.ok }
    router.post("session") { _, _ in
        EditedResponse(status: .created, response: SessionCreated(token: sessions.create()))
    }
    router.post("login") { request, context in
        let event = try await request.decode(as: Event<Credentials>.self, context: context)
        return try sessions.respond(to: request) { $0.login(event.values) }
    }
    router.post("register") { request, context in
        let event = try await request.decode(as: Event<UserID>.self, context: context)
        return try sessions.respond(to: request) { $0.register(event.values) }
    }
    return router
}

/// The headers that every Understudy answer carries.
struct CommonHeaders<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.contentType] = "application/json"
        response.headers[.requestID] = context.id
        response.headers[.cacheControl] = "no-store"
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // A constant, and a valid name.
    static let requestID = Self("X-Request-ID")!
}

extension SessionStore {
    /// Runs one event of the session whose token the request contains.
    func respond(to request: Request, _ event: (inout Session) -> Answer) throws -> Answer {
        guard let token = request.bearerToken, let answer = withSession(token, event) else {
            throw HTTPError(.unauthorized)
        }
        return answer
    }
}

extension Request {
    /// The token of `Authorization: Bearer TOKEN`.
    var bearerToken: String? {
        guard let value = headers[.authorization], value.hasPrefix("Bearer ") else { return nil }
        return String(value.dropFirst("Bearer ".count))
    }
}
