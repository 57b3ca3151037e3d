import BusinessLogic

/// The logic of the page that shows how the server is, and on which an operator logs out.
final class OverviewController: OperatorPage, BusinessLogicController {
    /// The properties of the server.
    static let facts = Output<Overview.Facts>("facts")
    /// The servers that use the database.
    static let nodes = Output<[ServerProcess]>("nodes")
    /// The pages and events whose requests took the longest on average.
    static let slowest = Output<[Overview.PageTime]>("slowest")
    /// How many requests got which problem.
    static let problems = Output<[Overview.ProblemCount]>("problems")
    /// The last errors in the log of the server, the oldest first.
    static let errors = Output<[String]>("errors")

    static let events: EventTable<OverviewController> = [
        .default("viewDidLoad", gives: shown + [.goes(to: .operatorLogin)]) { page in
            try await page.asOperator { _ in try await page.show() }
        }.safe(),
        .event("logoutButtonPressed", gives: [.goes(to: .operatorLogin)]) { $0.logOut() },
        .wake("refreshed", at: { $0.state.refresh }, gives: shown) { try await $0.refresh() },
    ]

    private static let shown: [CommandDeclaration] = [
        .renders(facts), .renders(nodes), .renders(slowest), .renders(problems), .renders(errors),
    ]

    /// When the page shows what is new.
    struct State: Codable, Equatable, Sendable {
        var refresh: Timestamp?
    }

    /// How long an open page waits until it shows what is new.
    static let interval: Duration = .seconds(5)

    var state = State()

    var stateMemorySize: Int? { 0 }

    private func show() async throws {
        let overview = try await access.overview()
        render(Self.facts, overview.facts)
        render(Self.nodes, overview.servers.isEmpty ? [.current] : overview.servers)
        render(Self.slowest, overview.slowest)
        render(Self.problems, overview.problems)
        render(Self.errors, overview.errors)
        state.refresh = access.administration.clock.now + Self.interval
    }

    private func refresh() async throws {
        state.refresh = nil
        if try administrationForRefresh() != nil { try await show() }
    }

    private func logOut() {
        identity.user = nil
        state.refresh = nil
        goToPage(.operatorLogin)
    }
}
