internal import BusinessLogic
internal import IssueReporting

/// Failures of stubs that a task outside of any test has called, such as a server's. The test that created the stub reports them.
enum PendingIssues {
    /// The identity of a running test.
    struct Test: Equatable, Sendable {
        fileprivate let id: TestContext.Testing.Test.ID

        /// The test of the current task; `nil` outside of a test, and in a test of XCTest.
        static var current: Test? {
            if case .swiftTesting(let testing?) = TestContext.current { Test(id: testing.test.id) } else { nil }
        }
    }

    private struct Issue: Sendable {
        let test: Test
        let message: String
        let site: CallSite
    }

    private static let issues = LockedValue<[Issue]>([])

    /// Reports a failure of the test: at once if a test is running in this task, otherwise when ``report()`` is called.
    static func fail(_ message: String, at site: CallSite, in test: Test?) {
        if let test, Test.current == nil {
            issues.change { $0.append(Issue(test: test, message: message, site: site)) }
        } else {
            site.fail(message)
        }
    }

    /// Reports the pending failures of the current test.
    static func report() {
        guard let test = Test.current else { return }
        let pending = issues.change { issues in
            let pending = issues.filter { $0.test == test }
            issues.removeAll { $0.test == test }
            return pending
        }
        for issue in pending { issue.site.fail(issue.message) }
    }
}
