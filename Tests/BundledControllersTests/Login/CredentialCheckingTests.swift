import TestSupport

@Suite struct CredentialCheckingTests {
    @Test(arguments: [
        ("batman", "bruce", true), ("robin", "dick", true), ("batman", "dick", false), ("batman", "", false),
        ("batman", "Bruce", false), ("joker", "bruce", false), ("", "", false),
    ])
    func `only a user's own fixed password is correct`(username: String, password: String, isCorrect: Bool) async throws
    {
        let credentials = FixedCredentials(["batman": "bruce"], others: FixedCredentials(["robin": "dick"]))
        let user = try await credentials.authenticate(username: username, password: password, for: ClientContext())
        #expect(user == (isCorrect ? User(username: username) : nil))
    }
}
