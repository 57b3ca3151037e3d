@testable import BundledControllers
import BusinessLogic
import Testing
import TestSupport

@Suite struct LoginAttemptsTests {
    @Test func `there are no failures at first`() {
        #expect(LoginAttempts().failures == 0)
        #expect(LoginAttempts().lastFailure == nil)
    }

    @Test func `the default limit is five failures and 15 minutes`() {
        #expect(LoginAttempts.Limit().failures == 5)
        #expect(LoginAttempts.Limit().interval == .seconds(900))
    }

    @Test(arguments: [#"{"failures":0}"#, #"{"failures":5,"lastFailure":1700000000000}"#])
    func `the count is unchanged after encoding and decoding`(text: String) throws {
        #expect(try json(decoded(LoginAttempts.self, from: text)) == text)
    }
}
