import BundledControllers
import BusinessLogic
import Testing

@Suite struct CredentialCheckingTests {
    @Test(arguments: [
        ("batman", "bruce", true), ("robin", "dick", true), ("batman", "dick", false), ("batman", "", false),
        ("batman", "Bruce", false), ("joker", "bruce", false), ("", "", false),
    ])
    func `only a user's own fixed password is correct, and without credentials, none is`(
        username: String,
        password: String,
        isCorrect: Bool
    ) {
        let user = FixedCredentials(["batman": "bruce", "robin": "dick"])
            .authenticate(username: username, password: password)
        #expect(user == (isCorrect ? User(username: username) : nil))
        #expect(NoCredentials().authenticate(username: username, password: password) == nil)
    }
}
