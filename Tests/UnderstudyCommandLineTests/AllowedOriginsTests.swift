import HTTPTestClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct AllowedOriginsTests {
    @Test func `a site that is named may, and its script can read the answer`() async throws {
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

    @Test(arguments: ["*", "https://app.example/path", "app.example", "https://a.example,,https://b.example"])
    func `whatever is no exact origin is one line of error`(list: String) async throws {
        for result in [
            try await Program.run("serve", "--allowed-origins", list),
            try await Program.run("config", environment: ["UNDERSTUDY_ALLOWED_ORIGINS": list]),
        ] {
            #expect(result.status == 64)
            #expect(result.output == [])
            #expect(result.errors.first?.contains("is no origin") == true, "\(result.errors)")
        }
    }
}
