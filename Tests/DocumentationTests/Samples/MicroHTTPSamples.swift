import Foundation
import HTTPMessages
import MicroHTTP
import Testing
import UnderstudyClient

@Suite struct MicroHTTPSamples {
    struct Greeter: Responder {
        func respond(to request: Request) async -> Response {
            Response(status: 200, contentType: .text, body: Array("Welcome to \(request.path)\n".utf8))
        }

        func reject(_ rejection: RequestRejection, of request: Request) -> Response {
            Response(status: rejection == .stopping ? 503 : 400)
        }
    }

    @Test func `a responder needs no server`() async throws {
        let request = Request(.get, "/Taylor")
        let response = await Greeter().respond(to: request)
        #expect(String(decoding: response.body, as: UTF8.self) == "Welcome to /Taylor\n")
    }

    @Test func `a server passes requests to its responder`() async throws {
        var configuration = ServerConfiguration()
        configuration.port = 0

        let server = try Server(configuration: configuration, responder: Greeter())
        print("Listening on http://\(server.address)")

        let url = try #require(URL(string: "http://\(server.address)"))
        let answer = try await URLSessionTransport(url).send(RemoteRequest("GET", "/springfield"))
        await server.stop()
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self) == "Welcome to /springfield\n")
    }
}
