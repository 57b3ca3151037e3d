@testable import MicroHTTP

@Suite(.fiveMinutes) struct ChunkLineTests {
    // MARK: The line

    @Test(arguments: [
        ("5\r\n", 5), ("\r\n5\r\n", 5), ("fF\r\n", 255), ("00010\r\n", 16), ("ffffffffffffffff\r\n", UInt64.max),
        ("0000000000000000000000000001\r\n", 1), ("5;a\r\n", 5), ("5;a=b\r\n", 5), ("5 ; a = b ;c\t\r\n", 5),
        ("5;a=\"b;c\\\"\td\u{FC}\"\r\n", 5), ("5;a=\"\";b\r\n", 5), ("5 \r\n", 5),
    ])
    func `a line is a size, perhaps with extensions`(text: String, size: UInt64) throws {
        #expect(try ChunkLine(text.bytes).size == size)
    }

    @Test(arguments: [
        "", "\r\n", "\r\n\r\n", "5", "5\n", "5\r", "\n5\r\n", "5;\r\n", "5;;a\r\n", "5; \r\n", "5;a;\r\n", "5;a=\r\n",
        "5;=b\r\n", "5;a b\r\n", "5;a=b c\r\n", "5;a=\"b\r\n", "5;a=\"b\\\r\n", "5;a=\"b\u{1}\"\r\n", "5;a(\r\n",
        "5;\u{FC}\r\n", "5;a\r;b\r\n", "5a;a=\"b\"c\r\n", "0x5\r\n", "+5\r\n", "-5\r\n", " 5\r\n", "g\r\n",
        "\r\n\r\n5\r\n", "5\r\n\r\n",
    ])
    func `any other line is malformed`(text: String) {
        #expect(throws: ChunkLine.Fault.malformed) { try ChunkLine(text.bytes) }
    }

    @Test func `a size of more than 64 bits is too large`() {
        #expect(throws: ChunkLine.Fault.tooLarge) { try ChunkLine("10000000000000000\r\n".bytes) }
    }

    // MARK: Where the lines are

    @Test func `lines are found before the parts of one read and of several reads`() throws {
        let text = "1;a\r\n12\r\n3\r\n456".bytes
        try text.withUnsafeBytes { bytes in
            let start = try #require(bytes.baseAddress)
            func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }
            var lines = ChunkLines(start: start)
            #expect(try lines.line(before: part(5..<6), read: 1)?.size == 1)
            // In the same read, the bytes between two parts are a line.
            #expect(throws: ChunkLine.Fault.malformed) { try lines.line(before: part(7..<8), read: 1) }
            // The next read begins at the start of the buffer.
            #expect(try lines.line(before: part(0..<3), read: 2) == nil)
            #expect(try lines.line(before: part(5..<6), read: 3)?.size == 1)
        }
    }

    // MARK: Over a socket

    @Test(arguments: ["5;\r\n12345\r\n0\r\n\r\n", "5\n12345\r\n0\r\n\r\n", "1\r\n1\r\n5;;\r\n12345\r\n0\r\n\r\n"])
    func `a malformed line before a chunk gets 400, and the connection closes`(body: String) async throws {
        let responder = StubResponder(common: CommonHeaders([("X-Common", "yes")]))
        try await withClient(responder) { _, client in
            try await client.send(chunkedHead + body + "GET /behind HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try await client.receiveLast()
            #expect(response.status == 400)
            // libmicrohttpd 1.0 rejects some of them by itself.
            if !isLibraryStrict {
                #expect(response.header("X-Common") == "yes")
                #expect(response.header("Date")?.hasSuffix(" GMT") == true)
                #expect(response.header("X-Request-ID") == responder.rejected.first?.id)
                #expect(response.text == "rejected")
            }
            #expect(responder.rejected.count == 1)
            #expect(responder.requests.isEmpty)
        }
    }

    @Test(.enabled(if: !isLibraryStrict), arguments: ["ffffffffffffffff", "11", "7fffffffffffffff;a=b"])
    func `a chunk above the rest of the limit gets 413 with its first byte`(size: String) async throws {
        let responder = StubResponder()
        try await withClient(responder, configure: { $0.maximumBodySize = 16 }) { _, client in
            try await client.send("\(chunkedHead)\(size)\r\n1")
            #expect(try await client.receiveLast().status == 413)
            #expect(responder.rejected.map(\.rejection) == [.bodyTooLarge(limit: 16)])
        }
    }

    @Test func `over TLS a malformed line gets 400`() async throws {
        try await withTLSServer { server, certificate in
            let client = try await server.client(trusting: certificate)
            #expect(try await client.response(to: chunkedHead + "5;\r\n12345\r\n0\r\n\r\n").status == 400)
        }
    }

    /// Bodies of many chunk sizes, whose bytes look like lines, sent in pieces that are cut anywhere.
    @Test(arguments: 0..<40) func `a valid body is read, however it is cut`(seed: Int) async throws {
        let generator = RequestGenerator(random: SequenceRandom(seed: UInt64(seed)))
        let body = generator.bytes(of: "\r\n;5a\0".bytes, upTo: 1800)
        let message = chunkedHead.bytes + generator.chunks(body, upTo: 60)
        try await withClient { _, client in
            // The first one arrives byte by byte.
            for segment in generator.segments(message, upTo: seed == 0 ? 1 : 50) { try await client.send(segment) }
            let response = try await client.receive()
            #expect(response.status == 200)
            #expect(Array(response.text.utf8.dropFirst("POST / ".utf8.count)) == body)
        }
    }
}
