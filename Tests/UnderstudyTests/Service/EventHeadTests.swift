import BundledPages
import TestSupport

@testable import Understudy

/// A connection that sends several events, with the same head or with others.
@Suite struct EventHeadTests {
    private static let body = Array(#"{"userID":"012345678912"}"#.utf8)

    @Test func `each event belongs to the session of its token, whatever the connection sent before`() async throws {
        try await withConnection { client, token, port in
            let tokens = [token, try await SocketSender(port: port).newToken()]
            var sequences = [0, 0]
            for session in [0, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0] {
                let response = try await post(client, "X-Other", "a", token: tokens[session])
                sequences[session] += 2
                #expect(response.text.hasPrefix(#"{"sequence":\#(sequences[session]),"ok":true"#))
            }
        }
    }

    @Test func `a session that has ended gets 401, whatever the connection sent before`() async throws {
        try await withConnection { client, token, port in
            for _ in 1...4 { #expect(try await post(client, "X-Other", "a", token: token).status == 200) }
            let other = try await HTTPTestClient(port: port)
            let ended = try await other.request("DELETE", "/session", headers: ["Authorization": "Bearer \(token)"])
            #expect(ended.status == 204)
            for _ in 1...2 { #expect(try await post(client, "X-Other", "a", token: token).status == 401) }
        }
    }

    @Test func `an event of another site is rejected each time`() async throws {
        try await withConnection { client, _, _ in
            for site in ["cross-site", "cross-site", "cross-site", "cross-site", "same-origin", "cross-site"] {
                let response = try await post(client, "Sec-Fetch-Site", site)
                #expect(response.status == (site == "same-origin" ? 200 : 403))
            }
        }
    }

    @Test func `only an event that prefers a minimal response gets no commands`() async throws {
        try await withConnection { client, token, _ in
            for preference in [
                "minimal", "minimal", "minimal", "minimal", "anything", "anything", "anything", "minimal",
            ] {
                let response = try await post(client, "Prefer", "return=\(preference)", token: token)
                #expect(response.text.contains(#""commands":[]"#) == (preference == "minimal"))
            }
        }
    }

    @Test func `an idempotency key is found each time`() async throws {
        try await withConnection { client, token, _ in
            for number in 1...5 {
                let response = try await post(client, "Idempotency-Key", "a", token: token)
                #expect(response.text.hasPrefix(#"{"sequence":2,"#))
                #expect(response.header("Idempotency-Replayed") == (number == 1 ? nil : "true"))
            }
            for _ in 1...3 {
                #expect(try await post(client, "Idempotency-Key", "ä", token: token).status == 400)
            }
        }
    }

    @Test func `an event reaches the service that is in use, whatever an earlier one has read`() async throws {
        let current = CurrentService()
        try await withServer(current) { port in
            let client = try await HTTPTestClient(port: port)
            for _ in 1...20 {
                current.replace(with: Page.demo())
                for _ in 1...3 { #expect(try await post(client, "X-Other", "a").status == 200) }
                current.replace(with: Page.demo().filter { $0.name != "register" })
                for _ in 1...2 { #expect(try await post(client, "X-Other", "a").status == 404) }
            }
        }
    }

    private func withConnection(_ test: (HTTPTestClient, String, UInt16) async throws -> Void) async throws {
        try await withServer(UnderstudyService(pages: Page.demo())) { port in
            try await test(HTTPTestClient(port: port), SocketSender(port: port).newToken(), port)
        }
    }

    private func post(
        _ client: HTTPTestClient,
        _ name: String,
        _ value: String,
        token: String? = nil
    ) async throws -> TestResponse {
        try await client.request(
            "POST",
            "/register",
            headers: [
                "Content-Type": "application/json", "Authorization": token.map { "Bearer \($0)" } ?? "", name: value,
            ],
            body: Self.body
        )
    }
}

/// Passes requests to a service, and frees it when it gets another.
private final class CurrentService: Responder {
    private let service = LockedValue(UnderstudyService(pages: []))

    func replace(with pages: [Page]) {
        service.value = UnderstudyService(pages: pages)
    }

    func respond(to request: Request) async -> Response {
        await service.value.respond(to: request)
    }

    func reject(_ rejection: RequestRejection, of request: Request) -> Response {
        service.value.reject(rejection, of: request)
    }
}
