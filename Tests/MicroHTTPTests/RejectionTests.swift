/// Requests that the server rejects itself.
@Suite(.fiveMinutes) struct RejectionTests {
    let responder = StubResponder()

    // MARK: Too large

    @Test func `a request with a body that is too large is rejected before the body is sent`() async throws {
        try await withClient(configure: { $0.maximumBodySize = 10_000 }) { _, client async throws in
            #expect(try await client.response(to: postHead(length: 10001, "Expect: 100-continue\r\n")).status == 413)
            #expect(try await client.isClosed)
        }
    }

    @Test func `a client that sends too large a body before it reads still gets the response`() async throws {
        try await withClient { _, client in
            try await client.send(await client.message("POST", "/", body: [UInt8](repeating: 0, count: 200_000)))
            #expect(try await client.receive().status == 413)
        }
    }

    @Test(arguments: ["5\r\n12345\r\n5\r\n67890\r\n1\r\n1\r\n0\r\n\r\n", "a\r\n1234567890\r\n".repeated(5)])
    func `a chunked body over the limit is rejected when it has been read, or before if it is far over the limit`(
        body: String
    ) async throws {
        try await withClient(responder, configure: { $0.maximumBodySize = 10 }) { _, client in
            try await client.send(chunkedHead)
            try await client.send(body)
            #expect(try await client.receiveLast().status == 413)
            #expect(responder.rejected.map(\.rejection) == [.bodyTooLarge(limit: 10)])
            #expect(responder.requests.isEmpty)
        }
    }

    /// Before 1.0.7, libmicrohttpd 1.0 lost its receive buffer if the query had no value, and the process crashed. Before 1.0.9, it wrote what
    /// followed over the version if the query had a value.
    @Test(arguments: ["", "=c"], ["", "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"])
    func `a request that is a query of any length, without a header field, harms neither itself nor the server`(
        end: String,
        next: String
    ) async throws {
        try await withServer { server in
            for size in stride(from: 500, to: 10_000, by: 250) {
                let target = "/a?" + "b".repeated(size) + end
                let client = try await server.client()
                let response = try await client.response(to: "GET \(target) HTTP/1.0\r\n\r\n\(next)")
                if target.utf8.count <= ServerConfiguration().maximumTargetSize {
                    #expect(response.text == "GET \(target) ")
                } else {
                    #expect([414, 431].contains(response.status))
                }
            }
        }
    }

    /// libmicrohttpd 0.9 has no memory for as many parameters.
    @Test(arguments: ["", "=b"])
    func `a query may have as many parameters as fit into the target`(value: String) async throws {
        try await withClient { _, client async throws in
            let count = (ServerConfiguration().maximumTargetSize - 2) / "a\(value)&".utf8.count
            let target = "/?" + "a\(value)&".repeated(count)
            #expect(try await client.get(target).text == "GET \(target) ")
        }
    }

    @Test(arguments: [1, 10, 20])
    func `a request may have both the longest target and the largest headers`(count: Int) async throws {
        let limits = ServerConfiguration()
        try await withClient { _, client async throws in
            let target = "/" + "a".repeated(limits.maximumTargetSize - 1)
            let size = (limits.maximumHeaderSize - "Hosta".utf8.count) / count
            let headers = (0..<count).map { "X-\($0): " + "b".repeated(size - "X-\($0)".utf8.count) }
            let lines = ["GET \(target) HTTP/1.1", "Host: a"] + headers
            for _ in 1...3 {
                #expect(try await client.response(to: lines.joined(separator: "\r\n") + "\r\n\r\n").status == 200)
            }
        }
    }

    /// libmicrohttpd keeps the head, a node for each field and cookie and a copy of the cookies in the memory that the response's head needs.
    @Test(arguments: ["", "k=1; ", "key=0123456789abcdef; "], [0, 60])
    func `a request gets a response, however many fields and cookies it has`(cookie: String, fields: Int) async throws {
        let responder = StubResponder { _ in Response(status: 200, headers: [("X-Large", "h".repeated(3500))]) }
        let others = (0..<fields).map { "X-\($0): 1\r\n" }.joined()
        var statuses: Set<Int> = []
        try await withServer(responder) { server in
            for size in stride(from: 100, to: 5700, by: 200) {
                let value = cookie.isEmpty ? "c".repeated(size) : cookie.repeated(size / cookie.utf8.count)
                let client = try await server.client()
                try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\(others)Cookie: \(value)\r\n\r\n")
                statuses.insert(try await client.receive().status)
            }
        }
        #expect(statuses == (cookie.isEmpty && fields == 0 ? [200] : [200, 431]))
    }

    @Test func `a rejected request gets a response, whatever has arrived behind its head`() async throws {
        try await withServer(StubResponder(common: CommonHeaders([("X-Large", "h".repeated(2500))]))) { server in
            for size in stride(from: 100, to: 5800, by: 300) {
                let client = try await server.client()
                let head =
                    "POST / HTTP/1.1\r\nHost: a\r\nCookie: \("c".repeated(size))\r\nContent-Length: 70000\r\n\r\n"
                #expect(try await client.response(to: head + "b".repeated(8000)).status == 413)
            }
        }
    }

    @Test func `the rejection of a HEAD request has no body`() async throws {
        try await withClient { _, client in
            try await client.send("HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n")
            let text = try await client.receiveToEnd().text
            #expect(text.hasPrefix("HTTP/1.1 413 "))
            #expect(text.hasSuffix("\r\n\r\n"))
        }
        // Also if the connection's last request was one: libmicrohttpd rejects this head itself.
        try await withClient { _, client in
            #expect(try await client.request("HEAD", "/").status == 200)
            let response = try await client.response(to: "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: two\r\n\r\n")
            #expect((response.status, response.text) == (400, "rejected"))
        }
    }

    // MARK: Malformed

    @Test(arguments: [
        ("GET /\(Self.filler) HTTP/1.1\r\n", RequestRejection.targetTooLong(limit: 2048)),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(Self.filler)\r\n", .headersTooLarge(limit: 6144)),
        ("GET / HTTP/2.0\r\n\r\n", .unsupportedHTTPVersion),
        (
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\n{}",
            .bodyTooLarge(limit: 65536)
        ),
    ])
    func `the responder gets the reason of libmicrohttpd's rejection`(request: String, rejection: RequestRejection)
        async throws
    {
        try await withClient(responder) { _, client in
            _ = try await client.response(to: request)
        }
        #expect(responder.rejected.map(\.rejection) == [rejection])
    }

    static let filler = "a".repeated(20_000)

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: a", "GET / HTTP/1.1\r\nHo", "GET",
        postHead(length: 9),
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n1",
    ])
    func `a client that disconnects in the middle of a request is not a rejected request`(part: String) async throws {
        try await withServer(responder) { server in
            for isAborted in [true, false] {
                let client = try await server.client()
                try await client.send(part)
                if isAborted { await client.abort() } else { await client.close() }
            }
            #expect(try await server.get().status == 200)
        }
        #expect(responder.rejected.isEmpty)
        #expect(responder.requests.map(\.target) == ["/"])
    }

    /// libmicrohttpd 0.9 would send the header section of its response twice.
    @Test(arguments: ["two", "+2", "-2", "2, 2", "", "99999999999999999999"] + (isLibraryStrict ? [] : ["2 ", "2\t"]))
    func `a Content-Length that libmicrohttpd rejects gets one response, from the responder`(length: String)
        async throws
    {
        try await withClient(responder) { _, client in
            #expect(try await client.get(headers: ["X-Request-ID": "first"]).status == 200)
            try await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n{}")
            let response = try await client.receiveLast()
            #expect(response.status == (length.utf8.count > 18 ? 413 : 400))
            #expect(response.text == "rejected")
            let id = try #require(responder.rejected.first?.id)
            #expect(response.header("X-Request-ID") == id)
            #expect(id != "first")
            #expect(responder.requests.count == 1)
        }
        #expect(responder.rejected.count == 1)
    }

    @Test(
        arguments: [
            ("Host: a\r\nContent-Length: two", 400), ("Host: a\r\nContent-Length: 99999999999999999999", 413),
            ("Content-Length: 0", 400),
        ] + (isLibraryStrict ? [] : [("Host: a\r\nContent-Length: 2 ", 400)])
    )
    func `a head that libmicrohttpd rejects gets one response if it arrives in pieces`(fields: String, status: Int)
        async throws
    {
        try await withClient(responder) { server, client in
            let other = try await server.client()
            try await other.send("GET /other HTTP/1.1\r\nHost: a\r\nContent-")
            for byte in "POST / HTTP/1.1\r\n\(fields)\r\n\r\n".utf8 { try await client.send([byte]) }
            let response = try await client.receiveLast()
            #expect(response.status == status)
            #expect(response.text == "rejected")
            #expect(try await other.response(to: "Length: 0\r\n\r\n").status == 200)
        }
        #expect(responder.rejected.count == 1)
        #expect(responder.requests.map(\.target) == ["/other"])
    }

    @Test func `a rejected request does not affect other connections`() async throws {
        try await withServer { server in
            let other = try await server.client()
            #expect(try await other.get("/1").status == 200)
            for request in RawRequestCorpus.all where request.outcome == .rejected(400) {
                let client = try await server.client()
                try await client.send(request.bytes)
                #expect(try await client.receive().status == 400, "\(request.testDescription)")
            }
            #expect(try await other.get("/2").text == "GET /2 ")
        }
    }
}
