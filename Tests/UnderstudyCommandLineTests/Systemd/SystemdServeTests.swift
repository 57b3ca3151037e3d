/// `serve` as systemd starts it.
@Suite(.fiveMinutes) struct SystemdServeTests {
    /// Passes standard input as the socket.
    let handOver = #"LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" "$@" 3<&0 </dev/null"#

    // MARK: Sockets

    @Test func `a server uses the port that systemd passes, and leaves it open`() async throws {
        let socket = try ListeningSocket()
        let arguments = ["serve", "--host", "192.0.2.1", "--loops", "2"]
        let first = try Program(arguments, terminal: socket.handle, shell: handOver)
        defer { first.kill() }
        #expect(await first.output.next() == "Listening on http://127.0.0.1:\(socket.port)")
        for _ in 0..<10 { try await get("/livez", socket.port).expect() }
        await first.end(SIGTERM).expect(status: 0)

        // A client that connects now waits for the next server.
        let early = try await HTTPTestClient(port: socket.port)
        try await early.send(await early.message("GET", "/livez"))
        let second = try Program(arguments, terminal: socket.handle, shell: handOver)
        defer { second.kill() }
        try await early.receive().expect()
        await second.end(SIGTERM).expect(status: 0)
    }

    @Test func `a server serves operators on the socket that systemd passes for them`() async throws {
        let socket = try ListeningSocket()
        let program = try Program(
            ["serve", "--port", "0"],
            terminal: socket.handle,
            shell: "LISTEN_FDNAMES=operators \(handOver)"
        )
        defer { program.kill() }
        #expect(await program.output.next() != "Listening on http://127.0.0.1:\(socket.port)")
        // A client that is early waits for the server.
        try await get("/metrics", socket.port).expect()
        await program.end(SIGTERM).expect(status: 0)
    }

    @Test func `a server uses the Unix domain socket that systemd passes, and keeps its file`() async throws {
        let path = "/tmp/\(UUID().uuidString.prefix(8)).sock"
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(UnixSocketAddress(path)?.bind(socket) == true && listen(socket, 64) == 0)
        defer { unlink(path) }
        let handle = FileHandle(fileDescriptor: socket, closeOnDealloc: true)
        let program = try Program(["serve"], terminal: handle, shell: handOver)
        defer { program.kill() }
        #expect(await program.output.next() == "Listening on unix:\(path)")
        try await HTTPTestClient(path: path).request("GET", "/livez").expect()
        await program.end(SIGTERM).expect(status: 0)
        #expect(Files.exists(path))
    }

    @Test func `a descriptor that is not a listening socket is one line of error`() async throws {
        try await Program.run(["serve"], shell: handOver).expect(error: "descriptor 3 is not a listening socket")
    }

    // MARK: Notifications

    @Test(arguments: [false, true])
    func `a server notifies systemd when it is ready, reloads, is alive and stops`(isAbstract: Bool) async throws {
        let systemd = try NotifySocket(isAbstract: isAbstract)
        let environment = ["NOTIFY_SOCKET": systemd.name, "WATCHDOG_USEC": "100000"]
        try await withServer("--drain-delay", "0s", environment: environment) { program, port in
            #expect(await systemd.next("READY=1") == ["READY=1", "STATUS=Listening on http://127.0.0.1:\(port)"])
            for _ in 0..<3 { #expect(await systemd.next("WATCHDOG=1") == ["WATCHDOG=1"]) }
            func microseconds() -> Int {
                var now = timespec()
                clock_gettime(CLOCK_MONOTONIC, &now)
                return now.tv_sec * 1_000_000 + now.tv_nsec / 1_000
            }
            let start = microseconds()
            program.send(SIGHUP)
            let reloading = await systemd.next("RELOADING=1")
            #expect(reloading.count == 2)
            let time = try #require(reloading.last?.split(separator: "=").last.flatMap { Int($0) })
            #expect((start...microseconds()).contains(time))
            #expect(await systemd.next("READY=1") == ["READY=1"])
            program.send(SIGTERM)
            #expect(await systemd.next("STOPPING=1") == ["STOPPING=1", "STATUS=Stopping"])
            await program.result().expect(status: 0)
        }
    }

    @Test func `a server notifies the watchdog until it has stopped`() async throws {
        let systemd = try NotifySocket()
        let environment = ["NOTIFY_SOCKET": systemd.name, "WATCHDOG_USEC": "100000"]
        try await withServer("--drain", "50s", "--drain-delay", "0s", environment: environment) { program, port in
            // An incomplete request delays the stop.
            let client = try await HTTPTestClient(port: port)
            try await client.send("POST /email HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\n")
            try await client.send("Expect: 100-continue\r\n\r\n")
            try await client.receive().expect(status: 100)
            program.send(SIGTERM)
            #expect(await systemd.next("STOPPING=1").first == "STOPPING=1")
            for _ in 0..<3 { #expect(await systemd.next("WATCHDOG=1") == ["WATCHDOG=1"]) }
            try await client.send("email=a")
            #expect(try await client.receive().header("Connection") == "close")
            await program.result().expect(status: 0)
        }
    }
}
