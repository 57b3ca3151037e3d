/// Responses that are sent while their handlers run.
@Suite(.fiveMinutes) struct ResponseStreamTests {
    let gate = Latch()

    // MARK: Parts

    @Test(arguments: TestCertificate.canBeMade ? [false, true] : [false])
    func `a part arrives while the handler runs, also over TLS`(isTLS: Bool) async throws {
        let responder = streamer(count: 50_000)
        func test(_ client: HTTPTestClient) async throws {
            try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await client.waitFor("first;")
            gate.open()
            let response = try await client.receive()
            #expect(response.status == 200)
            #expect(response.header("Transfer-Encoding") == "chunked")
            #expect(response.header("X-Prepared") == "/")
            #expect(response.text == "first;" + "a".repeated(50_000) + "rest")
            #expect(try await client.get().status == 200)
        }
        if isTLS {
            try await withTLSServer(responder) { try await test($0.client(trusting: $1)) }
        } else {
            try await withClient(responder) { try await test($1) }
        }
    }

    @Test(arguments: [true, false])
    func `a handler that does not wait, or writes nothing, sends its response as a whole`(writes: Bool) async throws {
        let responder = streamer { stream in
            guard writes else { return await gate.wait() }
            stream.write("first;")
        }
        try await withClient(responder) { _, client in
            try await client.send(await client.message("POST", "/", body: [1]))
            if !writes { await gate.arrivals.reaches(1) }
            gate.open()
            let response = try await client.receive()
            #expect(response.header("Content-Length") == "8")
            #expect(response.text == "complete")
        }
    }

    @Test(arguments: [100, 20_000, 300_000])
    func `parts of any size arrive in order`(size: Int) async throws {
        let part = "0123456789".repeated(size / 10)
        let responder = streamer(capacity: .max) { stream in
            for _ in 1...5 {
                stream.write(part)
                await Task.yield()
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        try await withClient(responder) { _, client async throws in
            #expect(try await client.get().text == part.repeated(5) + "rest")
            #expect(try await client.get().status == 200)
        }
    }

    @Test func `a client of HTTP 1.0 receives the body up to the end of the connection`() async throws {
        try await withServer(streamer(count: 20_000)) { server in
            let client = try await HTTPTestClient(port: server.port, sending: "GET / HTTP/1.0\r\n\r\n")
            try await client.waitFor("first;")
            gate.open()
            let response = try await client.receive()
            #expect(response.header("Transfer-Encoding") == nil)
            #expect(response.text == "first;" + "a".repeated(20_000) + "rest")
            #expect(try await client.isClosed)
        }
    }

    @Test func `200 streams wait on one loop, and another client gets its response`() async throws {
        let responder = StubResponder { request in
            if request.target == "/other" { return .text("other") }
            let stream = request.testStream()
            stream?.write("\(request.target) first;")
            await gate.wait()
            stream?.write("second;")
            return stream?.end() == true ? .text("rest") : .text("complete")
        }
        try await withServer(responder, configure: { $0.connectionsPerAddress = nil }) { server in
            let clients = try await server.clients(200)
            for (number, client) in clients.enumerated() { try await client.waitFor("/\(number) first;") }
            #expect(try await server.get("/other").text == "other")
            gate.open()
            for (number, client) in clients.enumerated() {
                #expect(try await client.receive().text == "/\(number) first;second;rest")
            }
        }
    }

    // MARK: Clients that do not read, or disconnect

    @Test func `the handler does not wait for a client that does not read, and stores a limited number of bytes`()
        async throws
    {
        let (written, ended) = (Tally(), Tally())
        let responder = streamer(capacity: 100_000) { stream in
            // Until the buffers of both sockets and the stream are full.
            let part = "a".repeated(50_000)
            while stream.write(part) {
                written.add()
                await Task.yield()
            }
            ended.add()
        }
        try await withServer(responder) { server in
            let slow = try await server.client(sending: "/")
            #expect(try await eventually(within: .seconds(200)) { ended.count == 1 })
            #expect(written.count >= 2)
            // Later, it still gets everything that has been written.
            #expect(try await slow.receive().text.utf8.count == written.count * 50_000 + "rest".utf8.count)
        }
    }

    @Test func `a client that never reads is disconnected after the timeout`() async throws {
        let ended = Tally()
        let responder = streamer(capacity: .max) { stream in
            stream.write("first;")
            try? await Task.sleep(for: .milliseconds(10))
            stream.write("a".repeated(20_000_000))
            ended.add()
        }
        try await withServer(responder, configure: { $0.receiveTimeout = .milliseconds(200) }) { server in
            let slow = try await server.client(sending: "/")
            await ended.reaches(1)
            #expect(try await eventually { server.statistics.connections == 0 })
            withExtendedLifetime(slow) {}
        }
    }

    @Test(arguments: [true, false])
    func `a connection whose client disconnects is freed, and its handler continues`(isReset: Bool) async throws {
        let ended = Tally()
        let responder = streamer { stream in
            stream.write("first;")
            await gate.wait()
            stream.write("second;")
            ended.add()
        }
        try await withClient(responder, sending: "/") { server, client in
            try await client.waitFor("first;")
            if isReset { await client.abort() } else { await client.close() }
            #expect(try await eventually { server.statistics.connections == 0 })
            #expect(ended.count == 0)
            gate.open()
            await ended.reaches(1)
            #expect(try await server.get().status == 200)
        }
    }

    @Test func `a client that only stops sending receives the whole body`() async throws {
        try await withClient(streamer(count: 0), sending: "/") { server, client in
            try await client.waitFor("first;")
            await client.halfClose()
            // The server writes once to find out whether the client is still there.
            try await client.waitFor("wait;")
            gate.open()
            #expect(try await client.receive().text == "first;wait;rest")
        }
    }

    // MARK: Deadlines

    @Test func `while a stream waits, the server writes at the interval`() async throws {
        let responder = streamer { stream in await gate.wait() }
        try await withClient(responder, configure: { $0.keepAliveInterval = .milliseconds(300) }) { _, client in
            try await client.ask()
            // The first one also sends the head.
            try await client.waitFor("wait;\r\n5\r\nwait;")
            gate.open()
            let text = try await client.receive().text
            #expect(text.hasPrefix("wait;wait;"))
            #expect(text.hasSuffix(";rest"))
        }
    }

    @Test func `a handler that takes too long is cancelled, and its stream ends`() async throws {
        let responder = streamer { stream in
            stream.write("first;")
            // Ends when the task is cancelled.
            try? await Task.sleep(for: .seconds(600))
            stream.write("second;")
        }
        try await withClient(responder, configure: { $0.responseTimeout = .seconds(5) }) { _, client in
            try await client.ask()
            #expect(try await client.receive().text == "first;ending 503")
            #expect(responder.rejected.map(\.rejection) == [.responseTimeout])
            #expect(try await client.get().status == 200)
        }
    }

    @Test func `streams end when the server stops`() async throws {
        try await withServer(streamer(count: 0), configure: { $0.drainTimeout = .milliseconds(100) }) { server in
            let clients = try await server.clients(20)
            for client in clients { try await client.waitFor("first;") }
            await server.stop()
            for client in clients {
                #expect(try await client.receive().text == "first;ending 502")
                #expect(try await client.isClosed)
            }
            gate.open()
        }
    }

    @Test func `a stream whose handler ends in time is complete when the server stops`() async throws {
        try await withClient(streamer(count: 60_000), sending: "/") { server, client in
            try await client.waitFor("first;")
            async let stop: Void = server.stop()
            gate.open()
            #expect(try await client.receive().text == "first;" + "a".repeated(60_000) + "rest")
            await stop
        }
    }

    @Test func `the server can stop while a client does not read`() async throws {
        let responder = streamer(capacity: .max) { stream in
            stream.write("a".repeated(20_000_000))
            await gate.wait()
        }
        try await withClient(responder, configure: { $0.drainTimeout = .milliseconds(100) }) { server, client in
            try await client.ask()
            try await client.waitFor("aaa")
            await server.stop()
            gate.open()
        }
    }

    // MARK: Without a connection

    @Test func `a request that came over no connection has no stream`() {
        #expect(Request(.get, "/").testStream() == nil)
    }

    @Test func `HEAD has no stream`() async throws {
        try await withClient(streamer { $0.write("first;") }) { _, client async throws in
            #expect(try await client.request("HEAD", "/").header("Content-Length") == "9")
            #expect(try await client.get().text == "complete")
        }
    }

    @Test func `after the end, nothing is written`() async throws {
        let results = LockedValue<[Bool]>([])
        let responder = StubResponder { request in
            let stream = request.testStream()
            let isStarted = stream?.end()
            results.value = [isStarted ?? true, stream?.write("late") ?? true]
            return .text("complete")
        }
        try await withServer(responder) { server async throws in
            #expect(try await server.get().text == "complete")
            #expect(results.value == [false, false])
        }
    }

    /// A responder whose handler writes a first part, waits at the gate, and writes that many bytes more.
    func streamer(count: Int) -> StubResponder {
        streamer { stream in
            stream.write("first;")
            await gate.wait()
            if count > 0 { stream.write("a".repeated(count)) }
        }
    }

    /// A responder whose handler writes to a stream, and then returns `rest` or, if nothing has been sent, `complete`.
    func streamer(
        capacity: Int = 1 << 20,
        _ write: @escaping @Sendable (ResponseStream) async -> Void
    ) -> StubResponder {
        StubResponder { request in
            guard let stream = request.testStream(capacity: capacity) else { return .text("no stream") }
            await write(stream)
            return stream.end() ? .text("rest") : .text("complete")
        }
    }
}

extension Request {
    func testStream(capacity: Int = 1 << 20) -> ResponseStream? {
        ResponseStream(
            Response(status: 200, contentType: .text, requestID: id),
            to: self,
            capacity: capacity,
            keepAlive: "wait;".bytes,
            ending: { "ending \($0.status)".bytes }
        )
    }
}

extension ResponseStream {
    @discardableResult
    fileprivate func write(_ text: String) -> Bool { write(text.bytes) }
}
