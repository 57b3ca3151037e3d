import Foundation

/// Servers on Unix domain sockets.
@Suite(.fiveMinutes) struct UnixSocketTests {
    let folder = TemporaryFolder()
    let path: String

    init() throws { path = try folder.file("socket") }

    /// Creates a socket at the path on which no process listens.
    func leaveSocketBehind() throws {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        try #require(UnixSocketAddress(path)?.bind(socket) == true)
    }

    @Test(arguments: [1, 4]) func `requests get their responses, and have no client address`(loops: Int) async throws {
        let responder = StubResponder()
        try await withServer(responder, configure: { $0.loops = loops }) { server in
            #expect(server.address.description == "unix:\(path)")
            #expect(server.address.path == path)
            #expect(server.address.host == "")
            #expect(server.address.port == 0)
            for number in 0..<10 {
                let client = try await HTTPTestClient(path: path)
                #expect(try await client.get("/\(number)").text == "GET /\(number) ")
                #expect(try await client.request("POST", "/", body: "a".bytes).text == "POST / a")
            }
            #expect(responder.requests.allSatisfy { $0.clientAddress == nil })
        }
    }

    @Test func `a blocked loop does not block another one`() async throws {
        let barrier = Barrier()
        try await withServer(StubResponder(blockingAt: barrier), configure: { $0.loops = 2 }) { _ in
            let blocking = try await HTTPTestClient(path: path)
            try await blocking.ask(for: "/block")
            await barrier.arrivals.reaches(1)
            for _ in 0..<20 { try await expectServer() }
            barrier.lift()
            #expect(try await blocking.receive().text == "GET /block ")
        }
    }

    @Test func `the file has the configured mode, and is removed when the server stops`() async throws {
        for mode in [0o600, 0o666] as [UInt32] {
            try await withServer(mode: mode) { server async throws in
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? UInt32 == mode)
                await server.stop()
                #expect(!Files.exists(path))
            }
        }
    }

    @Test func `a socket on which another server listens is an error`() async throws {
        try await withServer { _ async throws in
            let error = #expect(throws: ServerError.self) { try server() }
            #expect(error == .socketInUse(path: path))
            #expect(error?.description == "the socket '\(path)' is already in use")
            try await expectServer()
        }
    }

    @Test func `of many servers that replace the socket of one that no longer runs, only one succeeds`() async throws {
        try leaveSocketBehind()
        await #expect(throws: TestClientError.refused) { try await HTTPTestClient(path: path) }
        let servers = try await concurrently(8) { _ in try? server() }.compactMap(\.self)
        #expect(servers.count == 1)
        try await expectServer()
        for server in servers { await server.stop() }
    }

    @Test func `a file that is not a socket is an error, and is not changed`() async throws {
        try folder.write("socket", "text")
        let error = #expect(throws: ServerError.self) { try server() }
        #expect(error?.description == "cannot listen on the socket '\(path)': a file at this path is not a socket")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "text")
    }

    @Test func `a path that is too long, empty or in a missing folder is an error`() throws {
        let long = path + "a".repeated(108 - path.utf8.count)
        for (path, reason) in [
            (long, "the path is longer than 107 bytes"), ("", "the path is empty"),
            (folder.path + "/none/a", "No such file or directory"),
        ] {
            let error = #expect(throws: ServerError.self) { try server(at: path) }
            #expect(error == .cannotListenOnSocket(path: path, reason: reason))
        }
    }

    @Test func `a server listens on the longest path`() async throws {
        let path = path + "a".repeated(107 - path.utf8.count)
        try await withServer(at: path) { server in
            #expect(server.address.path == path)
            try await expectServer(at: path)
        }
    }

    @Test func `a file that has replaced the socket stays when the server stops`() async throws {
        try await withServer { server async throws in
            try Files.remove(path)
            try await withServer { _ in
                await server.stop()
                try await expectServer()
            }
        }
    }

    func expectServer(at other: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await HTTPTestClient(path: other ?? path).get().status == 200, sourceLocation: sourceLocation)
    }

    func withServer(
        _ responder: StubResponder = StubResponder(),
        at other: String? = nil,
        mode: UInt32 = 0o660,
        configure: (inout ServerConfiguration) -> Void = { _ in },
        test: (Server) async throws -> Void
    ) async throws {
        try await MicroHTTPTests.withServer(
            responder,
            configure: {
                $0.address = .unixSocket(path: other ?? path, mode: mode)
                configure(&$0)
            },
            test: test
        )
    }

    @Sendable func server(at other: String? = nil) throws(ServerError) -> Server {
        var configuration = ServerConfiguration()
        configuration.address = .unixSocket(path: other ?? path, mode: 0o660)
        configuration.loops = 2
        return try Server(configuration: configuration, responder: StubResponder())
    }
}
