import HTTPTestClient
import HTTPMessages
import MicroHTTP
import Testing

/// A connection recognises the head of its last request, and does not read it again.
@Suite(.timeLimit(.minutes(5))) struct AcceptedHeadTests {
    private static let head = "POST /a HTTP/1.1\r\nHost: a\r\nX-One: b\r\nX-Two: d\r\nContent-Length: 1\r\n\r\n"

    @Test(arguments: [false, true])
    func `each request with the same head has its own body and ID, and the same headers`(isPipelined: Bool) async throws
    {
        let responder = StubResponder()
        try await withServer(responder) { server in
            let client = try await HTTPTestClient(port: server.port)
            let requests = (1...5).map { Array("\(Self.head)\($0)".utf8) }
            if isPipelined {
                try await client.send(Array(requests.joined()))
                for number in 1...5 { #expect(try await client.receive().text == "POST /a \(number)") }
            } else {
                for (request, number) in zip(requests, 1...5) {
                    try await client.send(request)
                    #expect(try await client.receive().text == "POST /a \(number)")
                }
            }
            #expect(Set(responder.requests.map(\.id)).count == 5)
            for request in responder.requests { #expect(request.headers["x-two"] == "d") }
        }
    }

    @Test func `a request that its handler keeps is not changed by the next one`() async throws {
        let responder = StubResponder()
        try await withServer(responder) { server in
            let client = try await HTTPTestClient(port: server.port)
            for text in [Self.head, Self.head, Self.head, Self.head.replacing("X-Two: d", with: "X-Two: e"), Self.head]
            {
                try await client.send(Array("\(text)1".utf8))
                #expect(try await client.receive().status == 200)
            }
            #expect(responder.requests.map { $0.headers["x-two"] } == ["d", "d", "d", "e", "d"])
        }
    }

    /// Heads of the same length as the accepted one.
    @Test(arguments: [
        "POST /b HTTP/1.1\r\nHost: a\r\nX-One: b\r\nX-Two: d\r\nContent-Length: 1\r\n\r\n",
        "PUTT /a HTTP/1.1\r\nHost: a\r\nX-One: b\r\nX-Two: d\r\nContent-Length: 1\r\n\r\n",
        "POST /a HTTP/1.0\r\nHost: a\r\nX-One: b\r\nX-Two: d\r\nContent-Length: 1\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: c\r\nX-One: b\r\nX-Two: d\r\nContent-Length: 1\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nX-One: b\r\nX-Tvo: d\r\nContent-Length: 1\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nX-One: b\r\nX-Two:  \r\nContent-Length: 1\r\n\r\n",
    ])
    func `another head of the same length is read`(head: String) async throws {
        let responder = StubResponder()
        try await withServer(responder) { server in
            let client = try await HTTPTestClient(port: server.port)
            let requests = [Self.head, Self.head, Self.head, head].map { Array("\($0)1".utf8) }
            try await client.send(Array(requests.joined()))
            for _ in requests { #expect(try await client.receive().status == 200) }
            let alone = try await HTTPTestClient(port: server.port)
            try await alone.send(Array("\(head)1".utf8))
            #expect(try await alone.receive().status == 200)
            let (after, first) = (responder.requests[3], responder.requests[4])
            #expect(after.method == first.method)
            #expect(after.target == first.target)
            #expect(after.headers.all.map { [$0.name, $0.value] } == first.headers.all.map { [$0.name, $0.value] })
        }
    }

    @Test func `a target that looks the same only when it is decoded is another target`() async throws {
        let responder = StubResponder()
        try await withServer(responder) { server in
            let client = try await HTTPTestClient(port: server.port)
            // libmicrohttpd writes the decoded target over the encoded one.
            for target in ["/a%61a", "/a%61a", "/a%61a", "/aaa", "/a%61a"] {
                try await client.send(Array("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
                #expect(try await client.receive().text == "GET \(target) ")
            }
        }
    }

    /// Heads whose bytes are the same as the accepted ones after libmicrohttpd has written NULs into its buffer, or nearly so.
    @Test(arguments: [
        "POST /a HTTP/1.1\r\nHost: a\r\nX-One: b\0\0X-Two\0 d\r\nContent-Length: 1\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nX-One: b\r\nX-Two\0 d\r\nContent-Length: 1\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nX-One: b\0\nX-Two: d\r\nContent-Length: 1\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nX-One: b\r\nX-Two: d\0\0Content-Length: 1\r\n\r\n",
        "POST /a HTTP/1.1\0\0Host: a\r\nX-One: b\r\nX-Two: d\r\nContent-Length: 1\r\n\r\n",
        "POST\0/a HTTP/1.1\r\nHost: a\r\nX-One: b\r\nX-Two: d\r\nContent-Length: 1\r\n\r\n",
        "POST /a\0HTTP/1.1\r\nHost: a\r\nX-One: b\r\nX-Two: d\r\nContent-Length: 1\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nX-One: b\r\nX-Two: d\r\nContent-Length: 1\0\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nX-One: b\n\nX-Two: d\r\nContent-Length: 1\r\n\r\n",
    ])
    func `a head with a NUL has the same outcome after a head that looks like it`(head: String) async throws {
        let responder = StubResponder()
        try await withServer(responder) { server in
            let (first, alone) = try await outcome(of: head, after: 0, server, responder)
            let (last, repeated) = try await outcome(of: head, after: 3, server, responder)
            #expect(first == last)
            #expect(alone == repeated)
        }
    }

    /// The status of the last response to a head that follows the accepted one, `nil` without one, and the number of requests that
    /// reach the handler in addition.
    private func outcome(
        of head: String,
        after count: Int,
        _ server: Server,
        _ responder: StubResponder
    ) async throws -> (status: Int?, handled: Int) {
        let client = try await HTTPTestClient(port: server.port)
        for _ in 0..<count {
            try await client.send(Array("\(Self.head)1".utf8))
            #expect(try await client.receive().status == 200)
        }
        let before = responder.requests.count
        try await client.send(Array("\(head)1".utf8))
        await client.halfClose()
        let text = String(decoding: try await client.receiveToEnd(), as: UTF8.self)
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) }, responder.requests.count - before)
    }
}
