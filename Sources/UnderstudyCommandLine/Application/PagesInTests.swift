import BusinessLogic
import Understudy
import UnderstudyReplay

/// How a test that the program generates creates the program's pages: `PagesInTests("pages", testableImport: "guestbook")`.
public struct PagesInTests: Equatable, Sendable {
    /// The Swift expression for the pages, an array.
    public let expression: String
    /// The modules that the expression needs.
    public let imports: [String]
    /// A module to import `@testable`, such as that of the program itself; `nil` for none.
    public let testableImport: String?

    /// Describes how a test creates the pages.
    ///
    /// - Parameters:
    ///   - expression: the Swift expression for the pages, an array.
    ///   - imports: the modules that the expression needs. You need not list `BusinessLogic` and `Understudy`.
    ///   - testableImport: a module to import `@testable`, such as that of the program itself.
    public init(_ expression: String, imports: [String] = [], testableImport: String? = nil) {
        self.expression = expression
        self.imports = imports
        self.testableImport = testableImport
    }

    /// The bundled pages of the demonstration.
    static let bundled = PagesInTests("Page.bundled()", imports: ["BundledControllers", "BundledPages"])
    /// The same with those with which users recover and change their accounts.
    static let bundledWithAccounts = PagesInTests(
        "(Page.bundled() + Page.accounts()).withFactors(NoFactors(), credentials: NoCredentials())",
        imports: ["BundledControllers", "BundledPages"]
    )
}

extension Application {
    /// Swift Testing source code with a test for each recording of the program's pages. Unprintable characters are escaped.
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
            ).escapedSource
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
