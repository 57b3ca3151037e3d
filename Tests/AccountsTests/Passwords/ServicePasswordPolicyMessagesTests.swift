import BundledControllers
import BusinessLogic
import Testing

@testable import Accounts

@Suite struct ServicePasswordPolicyMessagesTests {
    @Test(arguments: [
        "short", String(repeating: "long ", count: 30), "bartholomew simpson", "football", "bartholomew simpsons",
        "zzzzzzzz",
    ])
    func `each objection is a message that the policy declares`(password: String) throws {
        let policy = try ServicePasswordPolicy(minimum: 8)
        let name = "Bartholomew Simpson"
        let objection = try #require(policy.objection(to: password, name: name, email: nil, userID: nil))
        #expect(policy.messages.contains(objection))
        #expect(policy.messages.count == 7)
    }
}
