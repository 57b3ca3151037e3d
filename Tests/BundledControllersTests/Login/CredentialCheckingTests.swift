import BundledControllers
import BusinessLogic
import Testing

@Suite struct CredentialCheckingTests {
    @Test(arguments: [
        ("batman", "bruce", true), ("robin", "dick", true), ("batman", "dick", false), ("batman", "", false),
        ("batman", "Bruce", false), ("joker", "bruce", false), ("", "", false),
    ])
    func `only a user's own fixed password is correct`(username: String, password: String, isCorrect: Bool) {
        let verified = FixedCredentials(["batman": "bruce", "robin": "dick"])
            .verify(username: username, password: password)
        #expect(verified?.user == (isCorrect ? User(username: username) : nil))
    }
}
