import Understudy
import UnderstudyReplay

extension Application {
    /// Swift Testing source code with a test for each recording of the program's pages.
    ///
    /// - Throws: ``CommandError`` if a recording is redacted, or the program does not state how a test creates one of its pages.
    func testSource(of recordings: [(name: String, recording: Recording)]) throws(CommandError) -> String {
        let pagesInTests = try pagesInTests(of: recordings.map(\.recording))
        do {
            return try Recording.testSource(
                of: recordings,
                on: pages(PageDependencies()),
                writtenAs: pagesInTests.expression,
                imports: pagesInTests.imports,
                importing: pagesInTests.testableImport
            )
        } catch {
            throw CommandError("No test can be generated: \(error).")
        }
    }

    /// How a test creates the pages of the recordings.
    ///
    /// - Throws: ``CommandError`` if the program does not state it, and a page is not one of the bundled pages.
    private func pagesInTests(of recordings: [Recording]) throws(CommandError) -> PagesInTests {
        if let pagesInTests { return pagesInTests }
        let bundled = Set(Page.bundled(PageDependencies()).map(\.name))
        let accounts = Set(Page.accounts(PageDependencies()).map(\.name))
        let used = Set(recordings.flatMap(\.events).map(\.page))
        if let page = used.subtracting(bundled.union(accounts)).sorted().first {
            throw CommandError(
                "No test can be generated: the page '\(page)' is not a bundled page, and '\(commandName)' does "
                    + "not state the Swift expression for its pages; pass 'pagesInTests' to UnderstudyCommandLine.run."
            )
        }
        return used.isSubset(of: bundled) ? .bundled : .bundledWithAccounts
    }
}
