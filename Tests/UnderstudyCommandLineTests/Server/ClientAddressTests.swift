import HTTPTestClient
import Testing

@Suite(.timeLimit(.minutes(5))) struct ClientAddressTests {
    @Test(arguments: [
        (["--trusted-proxies", "10.0.0.0/8, 127.0.0.1"], "203.0.113.7"), (["--trusted-proxies", "unix"], "127.0.0.1"),
    ])
    func `the audit log contains the client's address, which only trusted proxies can forward`(
        options: [String],
        address: String
    ) async throws {
        try await withServer(["--demo"] + options) { program, port in
            let answer = try await HTTPTestClient.request(
                "POST",
                "/signup",
                headers: ["X-Forwarded-For": "198.51.100.9, 203.0.113.7:1234"],
                form: "name=Lisa&email=lisa@rules.example&password=eighteen-long-words",
                port: port
            )
            #expect(answer.status == 200)
            let record = try #require(await program.errors.next(containing: " Audit "))
            #expect(record.contains(" client=\(address) event=signup "), "\(record)")
        }
    }
}
