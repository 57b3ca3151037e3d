import Glibc

@testable import MicroHTTP

@Suite(.fiveMinutes) struct ConnectionLimitTests {
    func limit(_ maximum: Int?, configure: (inout ServerConfiguration) throws -> Void = { _ in }) throws
        -> ConnectionLimit
    {
        var configuration = ServerConfiguration()
        configuration.connectionsPerAddress = maximum
        try configure(&configuration)
        return ConnectionLimit(configuration)
    }

    /// The permits that connections from an address get, one after the other.
    func permits(_ count: Int, _ address: String, _ limit: ConnectionLimit) throws -> [ConnectionLimit.Permit] {
        let address = try #require(IPAddress(address))
        return (0..<count).compactMap { _ in limit.admit(address) }.filter { $0.address != nil }
    }

    @Test func `an address gets permits up to the limit, and a returned permit can be used again`() throws {
        let limit = try limit(3)
        var held = try permits(5, "203.0.113.7", limit)
        #expect(held.count == 3)
        #expect(try permits(5, "203.0.113.8", limit).count == 3)
        held.removeLast()
        held += try permits(5, "203.0.113.7", limit)
        #expect(held.count == 3)
        held = []
        #expect(limit.addressCount == 0)
    }

    @Test func `IPv6 addresses count by their first 64 bits`() throws {
        let limit = try limit(2)
        let held = try permits(1, "2001:db8::1", limit) + permits(5, "2001:db8::ffff:0:0:2", limit)
        #expect(held.count == 2)
        #expect(try permits(5, "2001:db8:0:1::1", limit).count == 2)
    }

    @Test(arguments: ["10.0.0.7", "127.0.0.1", "::1"])
    func `trusted proxies and loopback addresses are not counted`(address: String) throws {
        let limit = try limit(1) { $0.trustedProxies = try TrustedProxies("10.0.0.0/8") }
        let parsed = try #require(IPAddress(address))
        for permit in [limit.admit(parsed), limit.admit(parsed), limit.admit(nil)] {
            #expect(try #require(permit).address == nil)
        }
        #expect(limit.addressCount == 0)
    }

    @Test func `loopback addresses are counted if the configuration limits them`() throws {
        #expect(try permits(2, "127.0.0.1", limit(1) { $0.limitsLoopback = true }).count == 1)
    }

    @Test func `a configuration without a limit counts no connections`() throws {
        let limit = try limit(nil)
        #expect(try permits(200, "203.0.113.7", limit).isEmpty)
        #expect(limit.addressCount == 0)
        #expect(ServerConfiguration().connectionsPerAddress == 100)
    }

    @Test func `another limit applies to further connections, and counts those that are open`() throws {
        let limit = try limit(2)
        var held = try permits(5, "203.0.113.7", limit)
        func change(to maximum: Int?) {
            var configuration = ServerConfiguration()
            configuration.connectionsPerAddress = maximum
            limit.reload(configuration)
        }
        change(to: 3)
        held += try permits(5, "203.0.113.7", limit)
        #expect(held.count == 3)
        change(to: 1)
        held.removeLast()
        #expect(try permits(5, "203.0.113.7", limit).isEmpty)
        change(to: nil)
        held = []
        #expect(limit.addressCount == 0)
    }

    @Test(arguments: [("192.0.2.1", AF_INET), ("2001:db8::1", AF_INET6), ("::ffff:192.0.2.1", AF_INET6)])
    func `an IP address is read from a socket address`(text: String, family: Int32) throws {
        var storage = sockaddr_storage()
        storage.ss_family = sa_family_t(family)
        withUnsafeMutableBytes(of: &storage) { bytes in
            _ = inet_pton(family, text, bytes.baseAddress.map { $0 + (family == AF_INET ? 4 : 8) })
        }
        func address() -> IPAddress? {
            withUnsafeBytes(of: storage) {
                $0.assumingMemoryBound(to: sockaddr.self).baseAddress.flatMap { IPAddress($0) }
            }
        }
        #expect(address() == IPAddress(text))
        storage.ss_family = sa_family_t(AF_UNIX)
        #expect(address() == nil)
    }

    // MARK: Over sockets

    /// An open connection from the source on which the server has responded; `nil` if the server closes it.
    func connect(_ server: Server, from source: String) async throws -> HTTPTestClient? {
        do {
            let client = try await HTTPTestClient(port: server.port, from: source)
            return try await client.get().status == 200 ? client : nil
        } catch TestClientError.closed, TestClientError.reset {
            return nil
        }
    }

    /// An open connection from the source, as soon as the server has noticed that another one has closed.
    func connectInTime(_ server: Server, from source: String) async throws -> HTTPTestClient? {
        var client: HTTPTestClient?
        _ = try await eventually {
            client = try await connect(server, from: source)
            return client != nil
        }
        return client
    }

    func withLimitedServer(
        _ maximum: Int,
        loops: Int = 2,
        silence: Duration = .seconds(60),
        _ test: (Server) async throws -> Void
    ) async throws {
        try await withServer(
            configure: {
                ($0.loops, $0.connectionsPerAddress, $0.limitsLoopback) = (loops, maximum, true)
                ($0.idleTimeout, $0.headTimeout) = (silence, silence)
            },
            test: test
        )
    }

    @Test func `an address at its limit gets no further connection until one is closed`() async throws {
        try await withLimitedServer(3) { server async throws in
            var held: [HTTPTestClient] = []
            for _ in 0..<3 { held.append(try #require(try await connect(server, from: "127.0.0.5"))) }
            for _ in 0..<3 { #expect(try await connect(server, from: "127.0.0.5") == nil) }
            let other = try #require(try await connect(server, from: "127.0.0.6"))
            for client in held { #expect(try await client.get().status == 200) }
            await held.removeLast().close()
            held.append(try #require(try await connectInTime(server, from: "127.0.0.5")))
            #expect(try await connect(server, from: "127.0.0.5") == nil)
            for client in held + [other] { await client.close() }
        }
    }

    @Test func `of many simultaneous connections from one address, only as many as the limit stay open`() async throws {
        try await withLimitedServer(7, loops: 4) { server async throws in
            let clients = try await concurrently(40) { _ in try await connect(server, from: "127.0.0.7") }
            #expect(clients.count { $0 != nil } == 7)
            for client in clients { await client?.close() }
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "", "junk"])
    func `a connection returns its permit, however it ends`(message: String) async throws {
        // libmicrohttpd may overlook the end after a part of a head, so that only the idle timeout closes the connection. The timeout is
        // long enough that the last connection does not reach it on a loaded machine.
        try await withLimitedServer(1, loops: 1, silence: .seconds(30)) { server async throws in
            for _ in 0..<3 {
                if let client = try? await HTTPTestClient(port: server.port, from: "127.0.0.8", sending: message) {
                    if !message.isEmpty, message != "junk" { _ = try? await client.receive() }
                    await client.close()
                }
            }
            let client = try #require(try await connectInTime(server, from: "127.0.0.8"))
            #expect(try await connect(server, from: "127.0.0.8") == nil)
            await client.close()
        }
    }
}
