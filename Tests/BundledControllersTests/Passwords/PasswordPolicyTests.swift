import Synchronization
import TestSupport

@testable import BundledControllers

@Suite struct PasswordPolicyTests {
    /// Objects once, as a policy whose next result was not recorded.
    private final class OnePolicy: PasswordPolicy {
        private let calls = Mutex(0)

        var count: Int { calls.withLock { $0 } }

        func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
            calls.withLock { calls in
                calls += 1
                return calls == 1 ? .passwordMissing : nil
            }
        }
    }

    @Test(arguments: [nil, "batman"])
    func `a policy is asked once for each name, until it objects`(username: String?) {
        let policy = OnePolicy()
        func objection() -> Message? {
            policy.objection(to: "bruce", name: "Bruce", username: username, email: nil, userID: nil)
        }
        #expect(objection() == .passwordMissing)
        #expect(policy.count == 1)
        #expect(objection() == nil)
        #expect(policy.count == (username == nil ? 2 : 3))
    }
}
