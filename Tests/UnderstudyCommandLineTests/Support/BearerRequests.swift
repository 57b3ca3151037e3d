import Foundation
import TestSupport

// Requests of a client with a bearer token, for tests of sessions.

/// Sends a form as an event.
func post(
    _ path: String,
    _ form: String,
    _ token: String,
    _ port: UInt16,
    key: String? = nil
) async throws -> TestResponse {
    try await HTTPTestClient.request(
        "POST",
        path,
        headers: [
            "Content-Type": "application/x-www-form-urlencoded", "Authorization": "Bearer \(token)",
            "Idempotency-Key": key ?? UUID().uuidString,
        ],
        body: Array(form.utf8),
        port: port
    )
}

/// Reads a page or the session.
func get(_ path: String, _ token: String, _ port: UInt16) async throws -> TestResponse {
    try await HTTPTestClient.request("GET", path, headers: ["Authorization": "Bearer \(token)"], port: port)
}

/// The token of a new session.
///
/// - Parameter address: the client of a trusted proxy; `nil` without one.
func newToken(_ port: UInt16, from address: String? = nil) async throws -> String {
    let headers: KeyValuePairs<String, String> = address.map { ["X-Forwarded-For": $0] } ?? [:]
    return try #require(token(try await HTTPTestClient.request("POST", "/session", headers: headers, port: port)))
}

/// Logs in with a new session, and returns its token; `nil` if the login fails.
func logIn(
    _ port: UInt16,
    _ username: String = "bruce@example.com",
    _ password: String = Workplace.password
) async throws -> String? {
    let body = "username=\(username)&password=\(password.replacing(" ", with: "+"))"
    return token(try await post("/login", body, try await newToken(port), port))
}

private func token(_ answer: TestResponse) -> String? {
    answer.text.firstMatch(of: /"token":"([^"]+)"/).map { String($0.1) }
}
