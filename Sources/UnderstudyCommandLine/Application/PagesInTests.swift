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
