import UnderstudyCommandLine

@Suite(.fiveMinutes) struct GraphCommandTests {
    @Test func `the command reports destinations that no page serves`() async throws {
        let application = Application(title: "Shop", version: "1") { _ in [Page("lift") { _ in LiftController() }] }
        let result = try await application.run("graph")
        result.expect(status: 0, errors: ["Events go to pages that the program does not contain: roof."])
    }

    @Test func `the diagram in the documentation is what the command prints`() async throws {
        let lines = try Checkout.text("docs/graphs.md").components(separatedBy: "\n")
        let diagram = lines.drop { $0 != "```mermaid" }.dropFirst().prefix { $0 != "```" }
        try await Workplace().run("graph").expect(status: 0, output: Array(diagram))
    }
}

/// A controller with a destination that no page serves.
private final class LiftController: BusinessLogicController {
    static let roof = Destination<()>("roof")

    static let events: EventTable<LiftController> = [
        .default("buttonPressed", gives: [.goes(to: roof)]) { $0.goToPage(roof) }
    ]

    typealias State = NoState
    weak var controllable: (any Controllable)?
}
