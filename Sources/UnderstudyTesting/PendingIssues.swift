internal import IssueReporting

/// What fakes had to report while they were used by a task that belongs to no test, such as a server's. It waits here until
/// the test that made them looks.
enum PendingIssues {
    /// A test, as far as it is known which one is running.
    struct Test: Equatable, Sendable {
        fileprivate let id: TestContext.Testing.Test.ID

        /// The test that is running in this task; `nil` where there is none, or it is XCTest's.
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

    /// Fails the test, at once or as soon as it looks.
    static func fail(_ message: String, at site: CallSite, in test: Test?) {
        if let test, Test.current == nil {
            issues.change { $0.append(Issue(test: test, message: message, site: site)) }
        } else {
            site.fail(message)
        }
    }

    /// Reports what waits for the test that is running.
    static func report() {
        guard let test = Test.current else { return }
        let waiting = issues.change { issues in
            let waiting = issues.filter { $0.test == test }
            issues.removeAll { $0.test == test }
            return waiting
        }
        for issue in waiting { issue.site.fail(issue.message) }
    }
}
