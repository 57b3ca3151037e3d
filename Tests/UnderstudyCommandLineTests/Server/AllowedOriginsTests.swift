import HTTPTestClient
import Testing

@Suite(.timeLimit(.minutes(5))) struct AllowedOriginsTests {
    @Test func `scripts of an allowed origin can send requests and read the responses`() async throws {
        try await withServer("--demo", "--allowed-origins", "https://app.example") { _, port async throws in
            func post(_ origin: String) async throws -> TestResponse {
                try await HTTPTestClient.request("POST", "/products", headers: ["Origin": origin], port: port)
            }
            let answer = try await post("https://app.example")
            #expect(answer.status == 200)
            #expect(answer.header("Access-Control-Allow-Origin") == "https://app.example")
            let other = try await post("https://other.example")
            #expect(other.status == 403)
            #expect(other.header("Access-Control-Allow-Origin") == nil)
        }
    }
}
