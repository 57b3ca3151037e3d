/// Credentials that a closure of a test checks.
package struct CredentialCheck: CredentialChecking {
    package typealias Check =
        @Sendable (_ username: String, _ password: String, _ client: ClientContext) async throws -> User?

    let check: Check

    package init(_ check: @escaping Check) { self.check = check }

    package func verify(username: String, password: String, for client: ClientContext) async throws -> VerifiedUser? {
        try await check(username, password, client).map { VerifiedUser($0) }
    }
}
