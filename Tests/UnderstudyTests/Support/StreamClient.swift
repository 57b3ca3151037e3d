/// An event of a stream as a client reads it.
struct StreamedEvent: Equatable, CustomTestStringConvertible {
    let name: String
    var id: String?
    var retry: String?
    let data: String

    var testDescription: String { "\(name) \(id ?? "-") \(data)" }

    /// The content as JSON.
    var json: Value { get throws { try JSONReader.read(data.bytes) } }

    /// Reads the events of a body. Ignores comments.
    static func all(in text: String) -> [StreamedEvent] {
        text.components(separatedBy: "\n\n").compactMap { block in
            var fields: [String: String] = [:]
            for line in block.split(separator: "\n") where !line.hasPrefix(":") {
                let parts = line.split(separator: ":", maxSplits: 1)
                fields[String(parts[0])] = String(parts[1].dropFirst())
            }
            guard let name = fields["event"], let data = fields["data"] else { return nil }
            return StreamedEvent(name: name, id: fields["id"], retry: fields["retry"], data: data)
        }
    }
}

/// A client that asks for a stream, over one connection.
struct StreamClient {
    let connection: HTTPTestClient
    var token: String?

    init(port: UInt16, token: String? = nil) async throws {
        connection = try await HTTPTestClient(port: port)
        self.token = token
    }

    /// A client with a new session.
    static func withSession(port: UInt16) async throws -> StreamClient {
        try await StreamClient(port: port, token: SocketSender(port: port).newToken())
    }

    /// Posts a body, or gets the path without one, and does not wait for the response.
    @discardableResult
    func send(
        _ path: String,
        _ body: String? = "{}",
        key: String? = nil,
        after id: Int? = nil,
        accept: String = "text/event-stream",
        others: OptionalFields = []
    ) async throws -> StreamClient {
        let fields: OptionalFields = [
            ("Accept", accept), ("Content-Type", body.map { _ in "application/json" }),
            ("Authorization", token.map { "Bearer " + $0 }), ("Idempotency-Key", key),
            ("Last-Event-ID", id.map(String.init)),
        ]
        let headers = Headers(optional: fields + others)
        let request = Request(body == nil ? .get : .post, path, headers: headers, body: (body ?? "").bytes)
        try await connection.send(request.bytes)
        return self
    }

    /// Returns as soon as that text has arrived.
    func waitFor(_ text: String) async throws { try await connection.waitFor(text) }

    /// The rest of the response.
    func receive() async throws -> (response: TestResponse, events: [StreamedEvent]) {
        let response = try await connection.receive()
        return (response, StreamedEvent.all(in: response.text))
    }
}
