/// Requests that get the handler's response.
@Suite(.fiveMinutes) struct ConnectionTests {
    let responder = StubResponder()
    let gate = Latch()

    // MARK: Methods, targets, headers

    @Test func `a request reaches the handler as it was sent`() async throws {
        try await withServer(responder) { server in
            let (target, client) = ("/a%2Fb/../c?d=e%20f&g", try await server.client())
            let fields: KeyValuePairs = ["X-First": "1", "Accept": "*/*", "x-first": "  2", "X-Empty": ""]
            let response = try await client.request("POST", target, headers: fields, body: "hello".bytes)
            #expect(response.status == 200)
            #expect(response.text == "POST \(target) hello")
            let request = try #require(responder.requests.first)
            #expect(request.method == .post)
            #expect(request.path == "/a%2Fb/../c")
            #expect(request.query == "d=e%20f&g")
            #expect(request.body == "hello".bytes)
            #expect(request.headers["host"] == "127.0.0.1:\(server.port)")
            #expect(request.headers.values("x-first").map(\.text) == ["1", "2"])
            #expect(request.headers["x-empty"] == "")
            #expect(request.headers["content-length"] == "5")
        }
    }

    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get", "M-SEARCH"])
    func `any method reaches the handler, with a body and without`(method: String) async throws {
        try await withClient { _, client async throws in
            #expect(try await client.request(method, "/").text == "\(method) / ")
            #expect(try await client.request(method, "/", body: "body".bytes).text == "\(method) / body")
            #expect(try await client.request(method, "/").text == "\(method) / ")
        }
    }

    @Test func `a response has the handler's status, headers and body`() async throws {
        let responder = StubResponder { _ in
            let fields: [(name: HeaderName, value: String)] = [
                ("Retry-After", "7"), ("Set-Cookie", "a=b"), ("Set-Cookie", "c=d"),
            ]
            return Response(status: 429, headers: fields, body: [0, 1, 255])
        }
        try await withServer(responder) { server in
            let response = try await server.get()
            #expect(response.version == "HTTP/1.1")
            #expect(response.status == 429)
            #expect(response.reason == "Too Many Requests")
            #expect(response.header("Retry-After") == "7")
            #expect(response.values("Set-Cookie") == ["a=b", "c=d"])
            #expect(response.body == [0, 1, 255])
            #expect(response.header("Content-Length") == "3")
        }
    }

    @Test func `responses of the same size are not mixed up`() async throws {
        let responder = StubResponder(common: CommonHeaders([("Cache-Control", "no-store")])) { request in
            await gate.wait()
            return .echo(request)
        }
        try await withServer(responder) { server in
            var clients: [HTTPTestClient] = []
            for number in 100..<140 {
                let client = try await server.client()
                let headers: KeyValuePairs = ["X-Request-ID": "id-\(number)"]
                try await client.send(
                    await client.message("GET", "/\(number)", headers: headers)
                        + client.message("GET", "/\(number + 100)")
                )
                clients.append(client)
            }
            await gate.arrivals.reaches(40)
            gate.open()
            for (number, client) in zip(100..., clients) {
                let first = try await client.receive()
                #expect(first.text == "GET /\(number) ")
                #expect(first.values("X-Request-ID") == ["id-\(number)"])
                #expect(first.values("Cache-Control") == ["no-store"])
                let second = try await client.receive()
                #expect(second.text == "GET /\(number + 100) ")
                #expect(second.values("X-Request-ID").map(\.utf8.count) == [15])
            }
            #expect(responder.requests.count == 80)
        }
    }

    @Test(arguments: [(200, "0"), (204, nil)])
    func `a response without a body has a length of 0, or none without content, and the connection stays open`(
        status: Int,
        length: String?
    ) async throws {
        try await withClient(StubResponder { _ in Response(status: status) }) { _, client async throws in
            for _ in 0..<2 {
                let response = try await client.get()
                #expect(response.status == status)
                #expect(response.header("Content-Length") == length)
                #expect(response.body.isEmpty)
            }
        }
    }

    @Test func `a large response arrives completely`() async throws {
        let body = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try await withServer(StubResponder { _ in Response(status: 200, body: body) }) { server async throws in
            #expect(try await server.get().body == body)
        }
    }

    static let noStore = CommonHeaders([(.cacheControl, "no-store"), ("X-Content-Type-Options", "nosniff")])

    /// Responses, each with the fields that it is sent with.
    static let kinds: [(response: Response, fields: [String: [String]])] = [
        (Response(status: 200), [:]),
        (Response(status: 200, contentType: "image/png"), ["Content-Type": ["image/png"]]),
        (
            Response(status: 200, contentType: .text, headers: [("X-Value", "a")]),
            ["Content-Type": ["text/plain; charset=utf-8"], "X-Value": ["a"]]
        ),
        (Response(status: 200, headers: [("X-Value", "one")]), ["X-Value": ["one"]]),
        (Response(status: 200, headers: [("X-Value", "two")]), ["X-Value": ["two"]]),
        // A field with a line break is left out.
        (Response(status: 200, headers: [("X-Value", "a\nX-Injected: b")]), [:]),
        (Response(status: 200, headers: [("X-Value", "a\r\nX-Injected: b")]), [:]),
        (Response(status: 200, headers: [("X-Value", "a\rb")]), [:]),
        (
            Response(status: 200, common: noStore),
            ["Cache-Control": ["no-store"], "X-Content-Type-Options": ["nosniff"]]
        ),
        (
            Response(status: 200, common: CommonHeaders([(.cacheControl, "no-cache")]), requestID: "b"),
            ["Cache-Control": ["no-cache"], "X-Request-ID": ["b"]]
        ),
        // Also if its name is that of a common one.
        (
            Response(status: 200, common: noStore, headers: [("cache-control", "private")]),
            ["Cache-Control": ["no-store", "private"], "X-Content-Type-Options": ["nosniff"]]
        ),
    ]

    @Test func `each response has its own fields, whatever the connection has sent before`() async throws {
        let names = Set(Self.kinds.flatMap(\.fields.keys)).union(["X-Injected"])
        try await withClient(PlainResponder { Self.kinds[Int($0.target.dropFirst()) ?? 0].response }) { _, client in
            for index in Array(Self.kinds.indices) + Self.kinds.indices.reversed() {
                let response = try await client.get("/\(index)")
                for name in names {
                    #expect(response.values(name) == Self.kinds[index].fields[name] ?? [], "\(index): \(name)")
                }
            }
        }
    }

    // MARK: The request's ID

    /// `RequestIDTests` have all that an ID may contain.
    @Test(arguments: [("4bf92f35-77b3.4da6_A", true), ("", false), ("<a>", false)])
    func `a request keeps the client's ID, unless it must not appear in a log`(id: String, isKept: Bool) async throws {
        try await withClient(responder) { _, client in
            let ids = try await client.get(headers: ["X-Request-ID": id]).values("X-Request-ID")
            #expect(responder.requests.map(\.id) == ids)
            #expect(isKept ? ids == [id] : ids.map(\.utf8.count) == [15])
        }
    }

    @Test func `a rejected request keeps its ID`() async throws {
        try await withClient(responder) { _, client in
            try await client.send("GET / HTTP/1.1\r\nX-Request-ID: mine\r\n\r\n")
            #expect(try await client.receive().values("X-Request-ID") == ["mine"])
            #expect(responder.rejected.map(\.id) == ["mine"])
        }
    }

    // MARK: Bodies

    @Test(arguments: [(1, 10_000), (9_999, 10_000), (10_000, 10_000), (150_000, 150_000)])
    func `a body may be as large as the limit, and larger than a connection's memory`(size: Int, limit: Int)
        async throws
    {
        try await withClient(responder, configure: { $0.maximumBodySize = limit }) { _, client async throws in
            let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) }
            for _ in 0..<2 { #expect(try await client.request("POST", "/", body: body).status == 200) }
            #expect(responder.requests.map(\.body) == [body, body])
        }
    }

    @Test func `a client that expects 100-continue gets it before it sends the body`() async throws {
        try await withClient { _, client async throws in
            for _ in 0..<2 {
                #expect(try await client.response(to: postHead(length: 5, "Expect: 100-continue\r\n")).status == 100)
                #expect(try await client.response(to: "hello").text == "POST / hello")
            }
        }
    }

    @Test(arguments: ["X: b", "Content-Length: 0"])
    func `100-continue without a body gets the response, and what follows is no body`(header: String) async throws {
        for waits in [false, true] {
            let responder = StubResponder.echoing { _ in if waits { await Task.yield() } }
            try await withClient(responder) { _, client in
                try await client.send("POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\(header)\r\n\r\n")
                try await client.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
                let response = try await client.receive()
                #expect(response.text == "POST /a ")
                if isLibraryStrict {
                    #expect(try await client.receive().text == "GET /b ")
                } else {
                    #expect(response.header("Connection") == "close")
                    #expect(try await client.isClosed)
                    #expect(responder.requests.map(\.target) == ["/a"])
                }
            }
        }
    }

    @Test func `trailers are not headers`() async throws {
        try await withClient(responder) { _, client in
            try await client.send(chunkedHead)
            try await client.send("1\r\na\r\n0\r\nAuthorization: Bearer a\r\nHost: b\r\n\r\n")
            #expect(try await client.receive().text == "POST / a")
            let request = try #require(responder.requests.first)
            #expect(request.headers["authorization"] == nil)
            #expect(request.headers.all.count == 2)
        }
    }

    @Test func `a chunked body may be as large as the limit`() async throws {
        try await withClient(configure: { $0.maximumBodySize = 10 }) { _, client in
            try await client.send(chunkedHead)
            #expect(try await client.response(to: "5\r\n12345\r\n5\r\n67890\r\n0\r\n\r\n").text == "POST / 1234567890")
        }
    }

    // MARK: Several requests on one connection

    @Test func `a target that looks the same only when it is decoded is another target`() async throws {
        try await withClient(responder) { _, client async throws in
            // libmicrohttpd writes the decoded target over the encoded one.
            for target in ["/a%61a", "/a%61a", "/a%61a", "/aaa", "/a%61a"] {
                #expect(try await client.get(target).text == "GET \(target) ")
            }
        }
    }

    @Test func `a request waits for the response to the previous one`() async throws {
        let responder = StubResponder(waitingAt: gate, for: "/1")
        try await withClient(responder) { server, client in
            try await client.send(await client.message("GET", "/1") + client.message("GET", "/2"))
            await gate.arrivals.reaches(1)
            // The request of another client overtakes the waiting one.
            #expect(try await server.get("/3").text == "GET /3 ")
            #expect(responder.requests.map(\.target) == ["/1", "/3"])
            gate.open()
            #expect(try await client.receive().text == "GET /1 ")
            #expect(try await client.receive().text == "GET /2 ")
        }
    }

    @Test(
        arguments: RawRequestCorpus.all.filter { $0.bytes.count < 300 && $0.isAccepted && !$0.text.contains("Expect") }
    )
    func `an accepted request may arrive byte by byte, and twice at once`(request: RawRequest) async throws {
        guard case .accepted(let target, let body) = request.outcome else { return }
        try await withClient { _, client in
            for byte in request.bytes { try await client.send([byte]) }
            try await client.send(request.bytes + request.bytes)
            for _ in 1...3 { #expect(try await client.receive().text.hasSuffix(" \(target) \(body)")) }
        }
    }

    @Test func `a client that has stopped sending still gets its response after its handler has waited`() async throws {
        let responder = StubResponder.echoing { request in if request.target != "/" { await gate.wait() } }
        try await withServer(responder) { server in
            #expect(try await server.get().status == 200)
            let clients = try await server.clients(3)
            for client in clients { await client.halfClose() }
            await gate.arrivals.reaches(3)
            gate.open()
            for (number, client) in clients.enumerated() {
                // The server may have found out first whether the client still receives.
                var response = try await client.receive()
                if response.status == 100 { response = try await client.receive() }
                #expect(response.text == "GET /\(number) ")
            }
        }
    }
}

/// A responder that sends the responses of a test unchanged.
private struct PlainResponder: Responder {
    let handler: @Sendable (Request) -> Response

    func respond(to request: Request) async -> Response { handler(request) }

    func reject(_ rejection: RequestRejection, of request: Request) -> Response { Response(status: 400) }
}
