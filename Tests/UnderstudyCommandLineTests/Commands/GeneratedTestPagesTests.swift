import Foundation
import TestSupport
import Testing
import Understudy

@testable import UnderstudyCommandLine

/// How the tests that `replay --emit-test` prints create the pages.
@Suite(.timeLimit(.minutes(5))) struct GeneratedTestPagesTests {
    private let workplace = Workplace()

    private static let recording = """
        {"recording":1,"understudy":"0.1.0","started":1795284662615,"redacted":false}
        {"page":"bell","event":"rung","values":{},"erased":[],"answers":[],"commands":[]}

        """

    private func lines(_ pagesInTests: PagesInTests?) async throws -> Program.Result {
        let file = try workplace.file("visitor.jsonl", Self.recording)
        let application = Application(title: "House", version: "1", executable: "house", pagesInTests: pagesInTests) {
            Page.bundled($0) + [Page("bell") { _ in BellController() }]
        }
        return try await application.run("replay", "--emit-test", file)
    }

    @Test func `a test creates the pages as the program states`() async throws {
        let pages = PagesInTests("House.pages(bells: 2)", imports: ["Bells"], testableImport: "house")
        let result = try await lines(pages)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("import Bells"))
        #expect(result.output.contains("@testable import house"))
        #expect(result.output.contains("    let session = RecordedSession(House.pages(bells: 2))"))
        #expect(!result.output.contains { $0.contains("BundledPages") })
    }

    @Test func `without a statement, only the bundled pages can be tested`() async throws {
        let result = try await lines(nil)
        result.expect(status: 1, output: [])
        result.expect(errors: [
            "error: No test can be generated: the page 'bell' is not a bundled page, and 'house' does not state the Swift "
                + "expression for its pages; pass 'pagesInTests' to UnderstudyCommandLine.run."
        ])
    }
}
