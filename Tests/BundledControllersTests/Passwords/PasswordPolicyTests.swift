import Synchronization

struct PasswordPolicyTests {
    /// Objects once, as a policy whose next result was not recorded.
    final class OnePolicy: PasswordPolicy {
        let calls = Mutex(0)

        var count: Int { calls.withLock { $0 } }

        func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
            calls.withLock { calls in
                calls += 1
                return calls == 1 ? .passwordMissing : nil
            }
        }
    }

    @Test(arguments: [(nil, 2), ("batman", 3), ("bruce@wayne.example", 2)])
    func `a policy is asked once for each name, until it objects`(username: String?, count: Int) {
        let (policy, email) = (OnePolicy(), "bruce@wayne.example")
        func objection() -> Message? {
            policy.objection(to: "bruce", name: "Bruce", username: username, email: email, userID: nil)
        }
        #expect(objection() == .passwordMissing)
        #expect(policy.count == 1)
        #expect(objection() == nil)
        #expect(policy.count == count)
    }

    @Test func `the policy of the articles' sign-up objects to an empty password only`() {
        let policy = NonEmptyPasswordPolicy()
        func objection(to password: String) -> Message? {
            policy.objection(to: password, name: nil, email: nil, userID: nil)
        }
        #expect(objection(to: "")?.code == "signup.passwordMissing")
        #expect(objection(to: " ") == nil)
    }
}
