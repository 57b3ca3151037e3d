import BundledControllers
import BusinessLogic
import Testing

@Suite struct CredentialCheckingTests {
    @Test(arguments: [("", ""), ("batman", "bruce")])
    func `without credentials, every password is wrong`(username: String, password: String) {
        #expect(NoCredentials().authenticate(username: username, password: password) == nil)
    }

    @Test(arguments: [("batman", "bruce"), ("robin", "dick")])
    func `a user's fixed password is correct`(username: String, password: String) {
        let credentials = FixedCredentials(["batman": "bruce", "robin": "dick"])
        #expect(credentials.authenticate(username: username, password: password) == User(username: username))
    }

    @Test(arguments: [("batman", "dick"), ("batman", ""), ("batman", "Bruce"), ("joker", "bruce"), ("", "")])
    func `any other user or password is wrong`(username: String, password: String) {
        let credentials = FixedCredentials(["batman": "bruce", "robin": "dick"])
        #expect(credentials.authenticate(username: username, password: password) == nil)
    }
}
