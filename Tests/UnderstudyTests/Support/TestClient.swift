/// Sends requests to a service.
protocol RequestSender: Sendable {
    func send(_ request: Request) async throws -> Answer
}

extension RequestSender {
    /// Sends a request with GET.
    @discardableResult
    func get(_ target: String) async throws -> Answer { try await send(Request(.get, target)) }

    /// The token of a new session.
    func newToken() async throws -> String { try #require(await send(Request(.post, "/session"))["token"]?.string) }
}

/// A client of the pages that keeps the session's cookie, as a browser does, or a token.
final class TestClient {
    let sender: any RequestSender
    /// The cookie as it is sent: `session=…`.
    var cookie: String?
    /// The bearer token.
    var token: String?

    init(_ sender: any RequestSender, cookie: String? = nil, token: String? = nil) {
        self.sender = sender
        (self.cookie, self.token) = (cookie, token)
    }

    /// A client with the token of a new session.
    static func withToken(_ sender: any RequestSender) async throws -> TestClient {
        try await TestClient(sender, token: sender.newToken())
    }

    /// Uses the token of a new session from now on.
    func useNewToken() async throws { token = try await sender.newToken() }

    /// Posts the JSON object or form, or the page's default event without a body.
    @discardableResult
    func post(
        _ path: String,
        _ body: String? = nil,
        key: String? = nil,
        prefer: [String] = [],
        user: String? = nil,
        language: String? = nil
    ) async throws -> Answer {
        let others: [(HeaderName, String?)] =
            prefer.map { ("Prefer", $0) } + [("Session-User", user), ("Accept-Language", language)]
        let isForm = body.map { !$0.hasPrefix("{") && $0.contains("=") } ?? false
        let type = isForm ? "application/x-www-form-urlencoded" : "application/json"
        return try await send(.post, path, body.map { (type, $0) }, key: key, others: others)
    }

    /// Logs `batman` in, whose password is `bruce`.
    @discardableResult
    func logIn(_ password: String = "bruce", key: String? = nil, prefer: [String] = []) async throws -> Answer {
        try await post("/login", #"{"username":"batman","password":"\#(password)"}"#, key: key, prefer: prefer)
    }

    /// Logs the user of a ``FactorsSpy`` in, and uses the new token from now on.
    func logInWithPasskey() async throws {
        try await post("/login", "event=passkeyRequested")
        token = try await post("/login", "event=passkeyChosen&passkey=challenge+1")["token"]?.string
    }

    @discardableResult
    func get(_ path: String, language: String? = nil) async throws -> Answer {
        try await send(.get, path, others: [("Accept-Language", language)])
    }

    @discardableResult
    func delete(_ path: String) async throws -> Answer { try await send(.delete, path) }

    func send(
        _ method: Method,
        _ path: String,
        _ content: (type: String, text: String)? = nil,
        key: String? = nil,
        others: [(HeaderName, String?)] = []
    ) async throws -> Answer {
        let request = Request(
            method,
            path,
            headers: Headers(
                optional: [
                    ("Content-Type", content?.type), ("Cookie", cookie), ("Idempotency-Key", key),
                    ("Authorization", token.map { "Bearer " + $0 }),
                ] + others
            ),
            body: (content?.text ?? "").bytes
        )
        let answer = try await sender.send(request)
        if let cookie = answer.cookie { self.cookie = cookie.hasSuffix("=") ? nil : cookie }
        return answer
    }
}

extension Request {
    /// A request that posts JSON.
    static func json(_ path: String, _ text: String, _ headers: Headers = [:], from address: String? = nil) -> Request {
        Request(
            .post,
            path,
            headers: headers.adding(optional: [("Content-Type", "application/json")]),
            body: text.bytes,
            clientAddress: address.flatMap { IPAddress($0) }
        )
    }
}

/// Header fields, of which only those with a value are sent.
typealias OptionalFields = [(name: HeaderName, value: String?)]

extension Headers {
    /// The header fields that have a value.
    init(optional fields: OptionalFields) {
        self.init(fields.compactMap { name, value in value.map { (name: name, value: $0) } })
    }

    /// These fields, and the others that have a value.
    func adding(optional fields: OptionalFields) -> Headers {
        var headers = Headers(optional: fields)
        for (name, value) in all { headers.append(name: Array(name), value: Array(value)) }
        return headers
    }
}
