@testable import UnderstudyCommandLine

@Suite(.fiveMinutes) struct DescriptorNeedsTests {
    @Test func `the connections leave descriptors for everything else`() {
        var server = ServerConfiguration()
        server.maximumConnections = 1000
        server.loops = 2
        let needs = DescriptorNeeds(server, databaseConnections: 10)
        #expect(needs.total == 1361)
        #expect(needs.connections(within: .max) == 1000)
        #expect(needs.connections(within: needs.total) == 1000)
        #expect(needs.connections(within: 736) == 440)
        for descriptors: UInt64 in [0, 236, 237] { #expect(needs.connections(within: descriptors) == 2) }
    }

    @Test func `with hardly any descriptors, a server does not start`() async throws {
        let result = try await Program.run(["serve", "--demo", "--port", "0"], shell: #"ulimit -n 40; exec "$0" "$@""#)
        result.expect(status: 1)
        #expect(result.errors.contains { $0.contains("The limit of open files is 40, and the server needs at least") })
    }

    @Test func `with few descriptors, a server warns, and serves operators while clients use up theirs`() async throws {
        let program = try Program(
            ["serve", "--demo", "--port", "0", "--admin-port", "0", "--loops", "1"],
            shell: #"ulimit -n 256; exec "$0" "$@""#
        )
        defer { program.kill() }
        let warning = try #require(await program.errors.next(containing: "fewer connections than max-connections"))
        #expect(warning.contains("limit=256"))
        let connections = try #require(warning.firstMatch(of: /connections=([0-9]+)/).flatMap { Int($0.1) })
        let operators = try await program.operatorsPort
        let port = try await program.port
        var clients: [HTTPTestClient] = []
        // Those beyond the limit wait in the kernel's queue.
        for _ in 0..<300 { clients.append(try await HTTPTestClient(port: port)) }
        for client in clients[..<connections] { try await client.request("GET", "/livez").expect() }
        for path in ["/readyz", "/metrics"] { try await get(path, operators).expect() }
        withExtendedLifetime(clients) {}
    }
}
