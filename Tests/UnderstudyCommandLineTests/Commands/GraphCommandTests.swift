@Suite(.fiveMinutes) struct GraphCommandTests {
    @Test func `the command reports destinations that no page serves`() async throws {
        let application = Application(title: "Shop", version: "1") { _ in [Page("lift", LiftController())] }
        let result = try await application.run("graph")
        result.expect(status: 0, errors: ["Events go to pages that the program does not contain: roof."])
    }

    @Test func `the diagram in the documentation is what the command prints`() async throws {
        let diagram = try #require(ReadmeTests.blocks("mermaid", in: "docs/graphs.md").first)
        try await Workplace().run("graph").expect(status: 0, output: Array(diagram.text))
    }
}

/// A controller with a destination that no page serves.
private struct LiftController: Script {
    static let roof = Destination<()>("roof")
    static let events: Events = [.default("buttonPressed", gives: [.goes(to: roof)]) { $0.goToPage(roof) }]
}
