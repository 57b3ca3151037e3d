import HTTPTypes
import Hummingbird
import Logging
import NIOPosix

/// `hummingbird-login PORT [LOOPS]`: serves the login page on 127.0.0.1. LOOPS is the number of event-loop threads;
/// one, the default, is the counterpart of one Understudy loop.
@main
struct App {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
        guard (1...2).contains(arguments.count), arguments.allSatisfy({ $0 > 0 }) else {
            fatalError("usage: hummingbird-login PORT [LOOPS]")
        }
        let (port, loops) = (arguments[0], arguments.count == 2 ? arguments[1] : 1)
        // As quiet as Understudy is in the benchmark.
        var logger = Logger(label: "hummingbird-login")
        logger.logLevel = .error
        let application = Application(
            router: makeRouter(sessions: SessionStore()),
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: loops)),
            logger: logger
        )
        try await application.runService()
    }
}

/// The routes that the benchmark calls.
func makeRouter(sessions: SessionStore) -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: CommonHeaders())
    router.get("livez") { _, _ in HTTPResponse.Status.ok }
    router.post("session") { _, _ in
        EditedResponse(status: .created, response: SessionCreated(token: sessions.create()))
    }
    router.post("login") { request, context in
        let credentials = try await request.decode(as: Credentials.self, context: context)
        guard let token = request.bearerToken,
            let answer = sessions.withSession(token, { $0.login(credentials) })
        else {
            throw HTTPError(.unauthorized)
        }
        return answer
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

extension Request {
    /// The token of `Authorization: Bearer TOKEN`.
    var bearerToken: String? {
        guard let value = headers[.authorization], value.hasPrefix("Bearer ") else { return nil }
        return String(value.dropFirst("Bearer ".count))
    }
}
