import BundledControllers
import BusinessLogic
import Testing

@Suite struct CredentialCheckingTests {
    @Test(arguments: [("", ""), ("batman", "bruce")])
    func `without credentials nobody is right`(username: String, password: String) {
        #expect(NoCredentials().authenticate(username: username, password: password) == nil)
    }

    @Test(arguments: [("batman", "bruce"), ("robin", "dick")])
    func `a user with the password that is fixed for them is right`(username: String, password: String) {
        let credentials = FixedCredentials(["batman": "bruce", "robin": "dick"])
        #expect(credentials.authenticate(username: username, password: password) == User(username: username))
    }

    @Test(arguments: [("batman", "dick"), ("batman", ""), ("batman", "Bruce"), ("joker", "bruce"), ("", "")])
    func `everything else is wrong`(username: String, password: String) {
        let credentials = FixedCredentials(["batman": "bruce", "robin": "dick"])
        #expect(credentials.authenticate(username: username, password: password) == nil)
    }
}
