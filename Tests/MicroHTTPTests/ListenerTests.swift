import Foundation

@Suite(.fiveMinutes) struct ListenerTests {
    @Test func `port 0 selects a free port, which the address contains`() async throws {
        try await withServer { first in
            try await withServer { second async throws in
                #expect(first.port != 0)
                #expect(first.port != second.port)
                #expect(first.address.host == "127.0.0.1")
                #expect(first.address.description == "127.0.0.1:\(first.port)")
                #expect(try await first.get("/1").text == "GET /1 ")
                #expect(try await second.get("/2").text == "GET /2 ")
            }
        }
    }

    @Test(arguments: [1, 2, 4], [1, 2, 4])
    func `a port that another server uses is an error, however many loops both have`(loops: Int, others: Int)
        async throws
    {
        try await withServer(configure: { $0.loops = loops }) { server async throws in
            var configuration = ServerConfiguration()
            configuration.port = server.port
            configuration.loops = others
            #expect(throws: ServerError.addressInUse(host: "127.0.0.1", port: server.port)) {
                try Server(configuration: configuration, responder: StubResponder())
            }
            #expect(try await server.get().status == 200)
        }
    }

    @Test func `a port is free again when its server has stopped`() async throws {
        var port: UInt16 = 0
        try await withServer(configure: { $0.loops = 2 }) { server in
            port = server.port
            // The server closes first, which leaves the connection in TIME_WAIT.
            let client = try await HTTPTestClient(port: port)
            #expect(try await client.get().status == 200)
            await server.stop()
            #expect(try await client.isClosed)
        }
        try await withServer(configure: { [port] in ($0.loops, $0.port) = (2, port) }) { server async throws in
            #expect(server.port == port)
            #expect(try await HTTPTestClient.request("GET", "/", port: port).status == 200)
        }
    }

    @Test(.enabled(if: ListenerTests.hasIPv6)) func `an IPv6 address is printed in brackets`() async throws {
        try await withServer(configure: { ($0.host, $0.loops) = ("::1", 2) }) { server async throws in
            #expect(server.address.host == "::1")
            #expect(server.address.description == "[::1]:\(server.port)")
            #expect(try await HTTPTestClient(host: "::1", port: server.port).get().status == 200)
        }
    }

    @Test(arguments: [0, -1]) func `a server has at least one loop`(loops: Int) async throws {
        try await withServer(configure: { $0.loops = loops }) { server async throws in
            #expect(try await server.get().status == 200)
        }
    }

    /// The address is from a block that is reserved for documentation (RFC 5737), so that no machine has it.
    @Test(arguments: [
        ("", "cannot find the host '': "), ("no host", "cannot find the host 'no host': "),
        ("192.0.2.1", "cannot listen on 192.0.2.1 port 0: "),
    ])
    func `the error for an address that cannot be used names it, and gives a reason`(host: String, beginning: String) {
        var configuration = ServerConfiguration()
        (configuration.host, configuration.port) = (host, 0)
        let error = #expect(throws: ServerError.self) {
            try Server(configuration: configuration, responder: StubResponder())
        }
        let description = error?.description ?? ""
        #expect(description.hasPrefix(beginning) && description != beginning)
        #expect("\(ServerError.addressInUse(host: host, port: 80))" == "port 80 on \(host) is already in use")
        #expect("\(ServerError.cannotStart(reason: host))" == "cannot start the event loop: \(host)")
    }

    /// Whether this machine has the IPv6 loopback address.
    static let hasIPv6 =
        (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8))?.contains("00000001 01 80 10 80") == true
}
