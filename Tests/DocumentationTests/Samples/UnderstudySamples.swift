import BundledControllers
import BundledPages
import BusinessLogic
import Foundation
import Logging
import HTTPMessages
import MicroHTTP
import Testing
import Understudy
@testable import UnderstudyReplay
import UnderstudyClient
import UnderstudyTesting

@Suite struct UnderstudySamples {
    private typealias GuestbookController = BusinessLogicSamples.GuestbookController

    private let accounts = FixedCredentials(["batman": "bruce"])

    @Test func `a server serves a page and the bundled pages`() async throws {
        let (urls, log) = AsyncStream.makeStream(of: String.self)
        let logger = Logger(label: "shop") { _ in URLLogHandler(log: log) }
        var changed = ServerConfiguration()
        changed.port = 0
        changed.loops = 1
        let configuration = changed

        let serving = Task {
            defer { log.finish() }
            let pages = Page.bundled() + [Page("guestbook") { _ in GuestbookController() }]
            let service = UnderstudyService(pages: pages)
            let server = UnderstudyServer(service: service, configuration: configuration, logger: logger)
            try await server.run()
        }

        let url = try #require(await urls.first { _ in true }.flatMap { URL(string: $0) })
        let answer = try await URLSessionTransport(url).send(
            RemoteRequest(
                "POST",
                "/guestbook",
                headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Array("name=Lisa".utf8)
            )
        )
        serving.cancel()
        try await serving.value
        #expect(
            String(decoding: answer.body, as: UTF8.self) == """
                {"sequence":1,"ok":true,"commands":[{"sequence":1,"page":"guestbook","command":"render",\
                "key":"greeting","value":"Welcome Lisa, you are guest 1"}]}

                """
        )
    }

    @Test func `with a path prefix, a page is only below it`() async {
        var configuration = ServiceConfiguration()
        configuration.pathPrefix = "/understudy"

        let service = UnderstudyService(pages: Page.bundled(), configuration: configuration)
        #expect(await service.respond(to: Request(.get, "/understudy/login")).status == 200)
        #expect(await service.respond(to: Request(.get, "/login")).status == 404)
    }

    @Test func `a controller logs a user in to its session`() async throws {
        let page = Page("login") { context in
            LoginBusinessLogicController(credentials: accounts, clock: SystemClock(), identity: context.identity)
        }

        let service = UnderstudyService(pages: [page])
        let login = Request(
            .post,
            "/login",
            headers: ["content-type": "application/json"],
            body: Array(#"{"username": "batman", "password": "bruce"}"#.utf8)
        )
        let cookie = try #require(await service.respond(to: login).header("Set-Cookie")?.split(separator: ";").first)
        let session = await service.respond(
            to: Request(.get, "/session", headers: ["cookie": String(cookie)])
        )
        #expect(String(decoding: session.body, as: UTF8.self).contains(#""user":{"username":"batman"}"#))
    }

    @Test func `a page with examples of results is compared completely`() async throws {
        func pages(_ repository: any Repository) -> [Page] {
            let examples = ResultExamples("repository", [[Product(name: "Car", description: "", image: "car")]])
            let product = Page("product", resultExamples: [examples]) {
                ProductDetailPresenter(repository: $0.recorded(repository))
            }
            let holds = ResultExamples("holdSlot") { now in [now + .seconds(120), nil] }
            _ = holds
            return [product]
        }

        let product = ApplicationStep(pages(ProductsRepository([])))
        let report = try await Comparison(old: product, new: product).run()
        #expect(report.pages.map(\.isClosed) == [true])
    }
}

/// A log handler that passes on the URLs in its lines.
private struct URLLogHandler: LogHandler {
    let log: AsyncStream<String>.Continuation
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    init(log: AsyncStream<String>.Continuation) {
        self.log = log
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        if let url = event.metadata?["url"] { log.yield("\(url)") }
    }
}
