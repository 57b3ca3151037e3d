/// Handlers and clients that take too long. The timeouts under test are short. No test reaches the others.
@Suite(.fiveMinutes) struct DeadlineTests {
    let gate = Latch()

    // MARK: The handler

    @Test func `a handler that misses its deadline is cancelled, and its client gets a rejection`() async throws {
        let (cancelled, finished) = (Tally(), Tally())
        let responder = StubResponder { request in
            guard request.target == "/slow" else { return .echo(request) }
            await withTaskCancellationHandler {
                await gate.wait()
            } onCancel: {
                cancelled.add()
            }
            finished.add()
            return .text("too late")
        }
        try await withClient(responder, configure: { $0.responseTimeout = .milliseconds(300) }) { server, client in
            let response = try await client.get("/slow", headers: ["X-Request-ID": "mine"])
            #expect(response.status == 503)
            #expect(response.header("X-Request-ID") == "mine")
            #expect(response.header("Connection") == "close")
            #expect(responder.rejected == [StubResponder.Rejected(rejection: .responseTimeout, id: "mine")])
            await cancelled.reaches(1)
            #expect(try await client.isClosed)

            let other = try await server.client()
            #expect(try await other.get().text == "GET / ")
            gate.open()
            await finished.reaches(1)
            #expect(try await other.get().text == "GET / ")
            #expect(responder.rejected.count == 1)
        }
    }

    @Test func `a handler that returns when it is cancelled is rejected, and no later one is`() async throws {
        let responder = StubResponder { request in
            if request.target == "/slow" { for await _ in AsyncStream<Never>.makeStream().stream {} }
            return .text(Task.isCancelled ? "cancelled" : "not cancelled")
        }
        try await withServer(responder, configure: { $0.responseTimeout = .milliseconds(300) }) { server async throws in
            #expect(try await server.get().text == "not cancelled")
            #expect(try await server.get("/slow").status == 503)
            #expect(responder.rejected.map(\.rejection) == [.responseTimeout])
            #expect(try await server.get().text == "not cancelled")
        }
    }

    @Test func `a handler may take longer than the idle timeout`() async throws {
        let responder = StubResponder(waitingAt: gate, for: "/slow")
        try await withServer(responder, configure: { $0.idleTimeout = .seconds(1) }) { server in
            let client = try await server.client(sending: "/slow")
            await gate.arrivals.reaches(1)
            // The server has closed a later, silent connection, so the timeout has passed.
            #expect(try await server.client().isClosed)
            // Sent before the response, because the timeout begins again with the response.
            try await client.ask(for: "/next")
            gate.open()
            #expect(try await client.receive().text == "GET /slow ")
            #expect(try await client.receive().text == "GET /next ")
        }
    }

    // MARK: The client

    @Test func `a connection is closed after the idle timeout, before a request and after one`() async throws {
        try await withServer(configure: { $0.idleTimeout = .seconds(1) }) { server in
            let silent = try await server.client()
            let answered = try await server.client(sending: "/")
            #expect(try await answered.receive().status == 200)
            #expect(try await silent.isClosed)
            #expect(try await answered.isClosed)
        }
    }

    /// libmicrohttpd overlooks the end of the client's bytes if it arrives together with some of them.
    @Test(arguments: [
        "GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n", postHead(length: 9) + "ab",
    ])
    func `a client that stops sending in a request is disconnected before its deadline`(part: String) async throws {
        let barrier = Barrier()
        try await withServer(StubResponder.echoing { _ in barrier.block() }) { server in
            let first = try await server.client(sending: "/")
            await barrier.arrivals.reaches(1)
            // Sent while the loop is blocked, so that the loop receives both together.
            let client = try await server.client()
            try await client.send(part)
            await client.halfClose()
            barrier.lift()
            #expect(try await client.receiveToEnd().isEmpty)
            #expect(try await first.receive().text == "GET / ")
        }
    }

    /// A part of a request that a client sends at once, and the rest, of which it sends a byte every 100 milliseconds.
    struct SlowRequest: CustomTestStringConvertible {
        let testDescription: String
        var start = ""
        var rest = "x".repeated(300)
        var maximumBodySize = 65_536
    }

    @Test(arguments: [
        SlowRequest(testDescription: "headers", start: "GET / HTTP/1.1\r\nHost: a\r\nX: "),
        SlowRequest(testDescription: "a request line", start: "GET /"),
        SlowRequest(testDescription: "empty lines", rest: "\r\n".repeated(150)),
        SlowRequest(testDescription: "a body", start: postHead(length: 1000)),
        SlowRequest(testDescription: "a chunk", start: "\(chunkedHead)3e8\r\n"),
        // The line arrives without a byte of its chunk, because the server would otherwise reject the chunk immediately.
        SlowRequest(
            testDescription: "a chunk over the limit",
            start: "\(chunkedHead)a\r\n0123456789\r\n",
            rest: "3e8\r\n" + "x".repeated(300),
            maximumBodySize: 10
        ),
    ])
    func `a client that sends a part of a request too slowly is disconnected`(request: SlowRequest) async throws {
        let responder = StubResponder()
        try await withClient(responder) {
            ($0.maximumBodySize, $0.idleTimeout) = (request.maximumBodySize, .seconds(1))
            ($0.headTimeout, $0.bodyTimeout) = (.milliseconds(300), .milliseconds(300))
        } test: { _, client in
            try await client.send(request.start)
            #expect(try await client.drip(request.rest, every: .milliseconds(100)) < request.rest.utf8.count)
            #expect(try await client.isClosed)
            #expect(responder.requests.isEmpty)
        }
    }

    @Test func `a client that does not receive the response is disconnected`() async throws {
        let body = [UInt8](repeating: 0, count: 32_000_000)
        let responder = StubResponder { request in
            if request.target == "/large" { return Response(status: 200, body: body) }
            await gate.wait()
            return .echo(request)
        }
        try await withClient(
            responder,
            configure: { ($0.receiveTimeout, $0.responseTimeout) = (.milliseconds(300), .milliseconds(600)) },
            sending: "/large"
        ) { server, client async throws in
            // The loop checks all deadlines together: if a later deadline has passed, the earlier one has as well.
            #expect(try await eventually { !responder.requests.isEmpty })
            #expect(try await server.get("/slow").status == 503)
            gate.open()
            await #expect(throws: TestClientError.closed) { try await client.receive() }
        }
    }

    /// Short timeouts, each with what a later client sends that misses it.
    @Test(arguments: [
        ConfigurationCase("of a head", "POST / HTTP/1.1\r\nHost") { $0.headTimeout = .seconds(1) },
        ConfigurationCase("of a body", postHead(length: 9) + "a") { $0.bodyTimeout = .seconds(1) },
        ConfigurationCase("of a handler", "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n") {
            $0.responseTimeout = .milliseconds(300)
        },
        // The loop checks all deadlines together: if the later one has passed, that of the earlier response has as well.
        ConfigurationCase("of a response", "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n") {
            ($0.receiveTimeout, $0.responseTimeout) = (.milliseconds(300), .milliseconds(600))
        },
    ])
    func `a timeout ends with what it is for, and begins again with each request`(timeout: ConfigurationCase<String>)
        async throws
    {
        let responder = StubResponder(waitingAt: gate, for: "/slow")
        try await withClient(responder, configure: timeout.configure) { server, client async throws in
            for _ in 1...2 {
                #expect(try await client.request("POST", "/", body: [1]).status == 200)
                // The server disconnects a later client, so the timeout of the request has passed.
                _ = try await HTTPTestClient(port: server.port, sending: timeout.value).receiveToEnd()
            }
            #expect(try await client.request("POST", "/", body: [1]).status == 200)
            gate.open()
        }
    }
}
