struct CredentialCheckingTests {
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

    @Test(arguments: [nil, "proof"])
    func `a verified user is stored as a user, with the proof`(proof: String?) throws {
        let user = VerifiedUser(User(username: "batman", id: "1", roles: ["hero"]), proof: proof)
        #expect(try throughJSON(user) == user)
        #expect(try decoded(User.self, from: json(user)) == user.user)
    }
}
