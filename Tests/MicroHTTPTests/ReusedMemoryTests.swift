import TestSupport

/// A connection reuses the memory of its last request.
@Suite(.timeLimit(.minutes(5))) struct ReusedMemoryTests {
    private let responder = StubResponder()

    private static let head = "POST /a HTTP/1.1\r\nHost: a\r\nX-One: b\r\nX-Two: d\r\nContent-Length: 1\r\n\r\n"

    @Test(arguments: [false, true])
    func `each of several requests has its own body and ID, and the same headers`(isPipelined: Bool) async throws {
        try await withClient(responder) { _, client in
            let requests = (1...9).map { Array("\(Self.head)\($0)".utf8) }
            if isPipelined {
                try await client.send(Array(requests.joined()))
                for number in 1...9 { #expect(try await client.receive().text == "POST /a \(number)") }
            } else {
                for (request, number) in zip(requests, 1...9) {
                    try await client.send(request)
                    #expect(try await client.receive().text == "POST /a \(number)")
                }
            }
            #expect(Set(responder.requests.map(\.id)).count == 9)
            for request in responder.requests { #expect(request.headers["x-two"] == "d") }
        }
    }

    @Test func `a request that its handler keeps is not changed by the next one`() async throws {
        try await withClient(responder) { _, client in
            for text in [Self.head, Self.head, Self.head, Self.head.replacing("X-Two: d", with: "X-Two: e"), Self.head]
            {
                try await client.send(Array("\(text)1".utf8))
                #expect(try await client.receive().status == 200)
            }
            #expect(responder.requests.map { $0.headers["x-two"] } == ["d", "d", "d", "e", "d"])
        }
    }

    @Test func `a target that looks the same only when it is decoded is another target`() async throws {
        try await withClient(responder) { _, client in
            // libmicrohttpd writes the decoded target over the encoded one.
            for target in ["/a%61a", "/a%61a", "/a%61a", "/aaa", "/a%61a"] {
                try await client.send(Array("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
                #expect(try await client.receive().text == "GET \(target) ")
            }
        }
    }
}
