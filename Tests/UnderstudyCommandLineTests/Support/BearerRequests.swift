extension TestResponse {
    /// The token of a session that an answer in JSON has started.
    var token: String? { text.firstMatch(of: /"token":"([^"]+)"/).map { String($0.1) } }

    /// Expects a status, and texts that the body contains.
    @discardableResult
    func expect(_ texts: String..., status: Int = 200, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        #expect(self.status == status, "\(text)", sourceLocation: sourceLocation)
        for part in texts { #expect(text.contains(part), "\(text)", sourceLocation: sourceLocation) }
        return self
    }
}

/// Sends a request in a new session, or in that which the header fields name.
func get(_ path: String, _ port: UInt16, headers: KeyValuePairs<String, String> = [:]) async throws -> TestResponse {
    try await HTTPTestClient.request("GET", path, headers: headers, port: port)
}

/// Sends a form in a new session, or in that which the header fields name.
func post(
    _ path: String,
    _ form: String,
    _ port: UInt16,
    headers: KeyValuePairs<String, String> = [:]
) async throws -> TestResponse {
    try await HTTPTestClient.request("POST", path, headers: headers, form: form, port: port)
}

/// Sends a form as an event of the session with that token, as Firefox does.
func post(
    _ path: String,
    _ form: String,
    _ token: String,
    _ port: UInt16,
    key: String? = nil
) async throws -> TestResponse {
    let headers: KeyValuePairs = [
        "Authorization": "Bearer \(token)", "Idempotency-Key": key ?? UUID().uuidString,
        "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    ]
    return try await post(path, form, port, headers: headers)
}

/// Reads a page or the session with that token.
func get(_ path: String, _ token: String, _ port: UInt16) async throws -> TestResponse {
    try await get(path, port, headers: ["Authorization": "Bearer \(token)"])
}

/// The token of a new session.
func newToken(_ port: UInt16) async throws -> String {
    try #require(await HTTPTestClient.request("POST", "/session", port: port).token)
}

/// Logs in with a new session, and returns its token; `nil` if the login fails.
func logIn(
    _ port: UInt16,
    _ username: String = "bruce@example.com",
    _ password: String = Workplace.password
) async throws -> String? {
    let body = "username=\(username)&password=\(password.replacing(" ", with: "+"))"
    return try await post("/login", body, newToken(port), port).token
}

/// The token of a new session in which a user has logged in.
func loggedIn(
    _ port: UInt16,
    _ username: String = "bruce@example.com",
    _ password: String = Workplace.password
) async throws -> String {
    try #require(await logIn(port, username, password))
}
