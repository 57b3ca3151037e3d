import BundledControllers
import BusinessLogic
import Testing
import TestSupport

@Suite struct LoginAttemptsTests {
    @Test func `there has been no failure at first`() {
        #expect(LoginAttempts().failures == 0)
        #expect(LoginAttempts().lastFailure == nil)
    }

    @Test func `five failures and 15 minutes are the limit unless said otherwise`() {
        #expect(LoginAttempts.Limit().failures == 5)
        #expect(LoginAttempts.Limit().interval == .seconds(900))
    }

    @Test(arguments: [#"{"failures":0}"#, #"{"failures":5,"lastFailure":1700000000000}"#])
    func `the count is written as JSON and read from it`(text: String) throws {
        #expect(try json(decoded(LoginAttempts.self, from: text)) == text)
    }
}
