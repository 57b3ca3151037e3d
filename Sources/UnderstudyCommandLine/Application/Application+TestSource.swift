import BusinessLogic
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
        let dependencies = PageDependencies()
        let bundled = Page.bundled(dependencies)
        let all = Set((bundled + Page.accounts(dependencies)).withFactors(dependencies).map(\.name))
        let events = recordings.flatMap(\.events)
        if let page = Set(events.map(\.page)).subtracting(all).sorted().first {
            throw CommandError(
                "No test can be generated: the page '\(page)' is not a bundled page, and '\(commandName)' does "
                    + "not state the Swift expression for its pages; pass 'pagesInTests' to UnderstudyCommandLine.run."
            )
        }
        let isBundled = events.allSatisfy { event in
            bundled.first { $0.name == event.page }?.declarations.contains { $0.event == event.event } ?? false
        }
        return isBundled ? .bundled : .bundledWithAccounts
    }
}
