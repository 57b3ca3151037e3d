import BusinessLogic
import Foundation
import MicroHTTP
import Testing
import Understudy
import UnderstudyClient
import UnderstudyTesting

@Suite struct UnderstudySamples {
    private typealias GuestbookController = BusinessLogicSamples.GuestbookController

    private let accounts = FixedCredentials(["batman": "bruce"])

    @Test func `a page of one's own is served beside the bundled ones`() async throws {
        let (lines, output) = AsyncStream.makeStream(of: String.self)
        @Sendable func print(_ line: String) { output.yield(line) }
        var changed = ServerConfiguration()
        changed.port = 0
        changed.loops = 1
        let configuration = changed

        let serving = Task {
            defer { output.finish() }
            let pages = Page.bundled() + [Page("guestbook") { _ in GuestbookController() }]
            let service = UnderstudyService(pages: pages)
            let server = UnderstudyServer(service: service, configuration: configuration) { address in
                print("Listening on http://\(address)")
            }
            try await server.run()
        }

        let line = try #require(await lines.first { _ in true })
        let url = try #require(line.split(separator: " ").last.flatMap { URL(string: String($0)) })
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
        #expect(line == "Listening on \(url)")
        #expect(
            String(decoding: answer.body, as: UTF8.self) == """
                {"sequence":1,"commands":[{"sequence":1,"page":"guestbook","command":"render",\
                "key":"greeting","value":"Welcome Lisa, you are guest 1"}]}

                """
        )
    }

    @Test func `below a path, a page is there and nowhere else`() async {
        var configuration = ServiceConfiguration()
        configuration.pathPrefix = "/understudy"

        let service = UnderstudyService(pages: Page.bundled(), configuration: configuration)
        #expect(await service.respond(to: Request(.get, "/understudy/login")).status == 200)
        #expect(await service.respond(to: Request(.get, "/login")).status == 404)
    }

    @Test func `a page gives its controller what belongs to the session`() async throws {
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

    @Test func `a graph is drawn in Mermaid's language`() async throws {
        var output = ""
        func print(_ text: String) { output += text }

        let graph = try await PageGraph(of: Page("guestbook") { _ in GuestbookController() })
        print(graph.mermaid)

        #expect(output.hasPrefix("stateDiagram-v2\n"))
        #expect(output.contains("signButtonPressed"))
    }
}
