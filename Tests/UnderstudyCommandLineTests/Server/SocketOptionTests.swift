/// `--socket` of `serve` and `healthcheck`.
@Suite(.fiveMinutes) struct SocketOptionTests {
    let path = "/tmp/\(UUID().uuidString.prefix(8)).sock"

    @Test func `a server listens on a Unix domain socket, and deletes its file when it stops`() async throws {
        let program = try Program(["serve", "--socket", path, "--socket-mode", "600", "--demo"])
        defer { program.kill() }
        #expect(await program.output.next() == "Listening on unix:\(path)")
        let example = "Try: curl -d username=batman -d password=bruce --unix-socket \(path) localhost/login"
        #expect(await program.output.next() == example)
        try await HTTPTestClient(path: path).request("GET", "/livez").expect()
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? UInt32 == 0o600)
        try await understudy("healthcheck --socket", path).expect(status: 0)
        await program.end(SIGTERM).expect(status: 0)
        #expect(!Files.exists(path))
    }

    @Test func `an option with a port wins over a socket in the environment`() async throws {
        let environment = ["UNDERSTUDY_SOCKET": path]
        try await withServer(environment: environment) { _, port in
            try await understudy("healthcheck --port \(port)", environment: environment).expect(status: 0)
        }
        let error = "socket '\(path)': No such file or directory"
        try await understudy("healthcheck", environment: environment).expect(error: error)
    }
}
