/// How a server stops.
@Suite(.fiveMinutes) struct ServerTests {
    let gate = Latch()

    @Test(arguments: [1, 4])
    func `a stopping server accepts no clients, and running handlers still respond`(loops: Int) async throws {
        let responder = StubResponder(waitingAt: gate)
        try await withServer(responder, configure: { $0.loops = loops }) { server in
            let clients = try await server.clients(40)
            await gate.arrivals.reaches(40)
            async let stopped: Void = server.stop()
            #expect(try await refusesClients(server))
            gate.open()
            for (number, client) in clients.enumerated() {
                #expect(try await client.receiveLast().text == "GET /\(number) ")
            }
            await stopped
            #expect(responder.rejected.isEmpty)
        }
    }

    @Test func `a stopping server immediately closes connections without the whole head of a request`() async throws {
        // The test's time limit is shorter than the drain timeout.
        try await withServer(configure: { $0.drainTimeout = .seconds(600) }) { server in
            let silent = try await server.client()
            let slow = try await server.client()
            try await slow.send("GET / HTTP/1.1\r\nHost: a\r\n")
            let kept = try await server.client()
            #expect(try await kept.get().status == 200)
            let halfClosed = try await server.client(sending: "/")
            await halfClosed.halfClose()
            #expect(try await halfClosed.receive().status == 200)
            await server.stop()
            for client in [kept, silent, slow, halfClosed] { #expect(try await client.isClosed) }
        }
    }

    @Test func `a client that connects while the server is about to stop can still send its request`() async throws {
        try await withServer { server in
            let early = try await server.client()
            #expect(try await early.get().status == 200)
            let accepted = server.statistics.accepted
            await server.closeConnectionsAfterResponses()
            let late = try await server.client()
            #expect(try await eventually { server.statistics.accepted > accepted })
            async let stopped: Void = server.stop()
            #expect(try await refusesClients(server))
            #expect(try await early.isClosed)
            let response = try await late.get("/late")
            #expect(response.status == 200)
            #expect(response.header("Connection") == "close")
            await stopped
        }
    }

    @Test func `a request whose body is still arriving gets its response`() async throws {
        try await withClient { server, client in
            #expect(try await client.response(to: postHead(length: 10, "Expect: 100-continue\r\n")).status == 100)
            try await client.send("hello")
            async let stopped: Void = server.stop()
            #expect(try await refusesClients(server))
            try await client.send("there")
            #expect(try await client.receiveLast().text == "POST / hellothere")
            await stopped
        }
    }

    @Test(arguments: [1, 4], [false, true])
    func `requests that were sent before the stop get their responses, even before they are accepted`(
        loops: Int,
        isUnixSocket: Bool
    ) async throws {
        // Between two gates, the loop looks at its sockets.
        let (barrier, gates) = (Barrier(), [Latch(), Latch(), Latch()])
        let responder = StubResponder.echoing { request in
            if request.path == "/block" {
                barrier.block()
            } else if request.path != "/first" {
                // The server does not take its own stop for that of the client, which would get an interim response.
                for gate in gates { await gate.wait() }
            }
        }
        let folder = TemporaryFolder()
        let path = try folder.file("socket")
        try await withServer(responder) {
            $0.loops = loops
            if isUnixSocket { $0.address = .unixSocket(path: path, mode: 0o600) }
        } test: { server in
            func connect() async throws -> HTTPTestClient {
                isUnixSocket ? try await HTTPTestClient(path: path) : try await server.client()
            }
            let kept = try await connect()
            #expect(try await kept.get("/first").status == 200)
            let blocking = try await connect()
            try await blocking.ask(for: "/block")
            await barrier.arrivals.reaches(1)
            // The loop is blocked, so that only the kernel accepts these connections.
            var clients = [kept]
            for _ in 0..<20 { clients.append(try await connect()) }
            for (number, client) in clients.enumerated() {
                try await client.send(await client.message("POST", "/\(number)", body: "body".bytes))
            }
            async let stopped: Void = server.stop()
            barrier.lift()
            for gate in gates {
                await gate.arrivals.reaches(clients.count)
                gate.open()
            }
            for (number, client) in clients.enumerated() {
                #expect(try await client.receive().text == "POST /\(number) body")
            }
            #expect(try await blocking.receive().text == "GET /block ")
            await stopped
        }
    }

    @Test func `a handler that misses the drain deadline is rejected, and runs to its end`() async throws {
        let (cancelled, finished) = (Tally(), Tally())
        let responder = StubResponder.echoing { _ in
            await withTaskCancellationHandler {
                await gate.wait()
            } onCancel: {
                cancelled.add()
            }
            await Task.yield()
            finished.add()
        }
        try await withClient(responder, configure: { $0.drainTimeout = .milliseconds(300) }) { server, client in
            try await client.send(await client.message("GET", "/", headers: ["X-Request-ID": "mine"]))
            await gate.arrivals.reaches(1)
            await server.stop()
            let response = try await client.receiveLast()
            #expect(response.status == 502)
            #expect(response.header("X-Request-ID") == "mine")
            #expect(responder.rejected == [StubResponder.Rejected(rejection: .stopping, id: "mine")])
            await cancelled.reaches(1)
            gate.open()
            await finished.reaches(1)
        }
    }

    @Test func `a stopping server waits for no body beyond the drain deadline`() async throws {
        let responder = StubResponder()
        try await withClient(responder, configure: { $0.drainTimeout = .milliseconds(300) }) { server, client in
            try await client.send(postHead(length: 10) + "hell")
            await server.stop()
            #expect(try await client.isClosed)
            #expect(responder.requests.isEmpty)
        }
    }

    @Test func `a server can be stopped twice, in sequence and simultaneously`() async throws {
        let responder = StubResponder(waitingAt: gate)
        try await withClient(responder, configure: { $0.loops = 2 }, sending: "/") { server, client async throws in
            await gate.arrivals.reaches(1)
            async let first: Void = server.stop()
            async let second: Void = server.stop()
            gate.open()
            #expect(try await client.receive().text == "GET / ")
            await first
            await second
            await server.stop()
            await server.stop()
        }
    }

    @Test func `a handler that yields repeatedly does not delay the stop`() async throws {
        let responder = StubResponder.echoing { _ in while !Task.isCancelled { await Task.yield() } }
        try await withClient(responder, configure: { $0.drainTimeout = .milliseconds(300) }) { server, client in
            try await client.ask()
            #expect(try await eventually { !responder.requests.isEmpty })
            await server.stop()
            #expect(try await client.receive().status == 502)
        }
    }
}

/// Whether a server stops accepting clients, which may happen a moment after the call of `stop()`.
private func refusesClients(_ server: Server) async throws -> Bool {
    try await eventually {
        do {
            await (try server.client()).close()
        } catch TestClientError.refused {
            return true
        } catch TestClientError.reset {
            // The connection was in the kernel's queue when the socket was closed.
        }
        return false
    }
}
