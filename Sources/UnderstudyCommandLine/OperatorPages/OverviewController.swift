import BusinessLogic

/// The logic of the page that shows how the server is, and on which an operator logs out.
final class OverviewController: OperatorPage, BusinessLogicController {
    static let facts = Output<Overview.Facts>("facts")
    static let isReady = Output<Bool>("isReady")
    /// The servers that use the database.
    static let nodes = Output<[ServerProcess]>("nodes")
    static let slowest = Output<[Overview.PageTime]>("slowest")
    static let problems = Output<[Overview.ProblemCount]>("problems")
    /// The last errors in the log of the server, the newest first.
    static let errors = Output<[String]>("errors")
    /// What the server has done in the last hour, as lines of charts; empty in its first seconds.
    static let lastHour = Output<[LastHour.Line]>("lastHour")

    static let events: EventTable<OverviewController> = [
        .default("viewDidLoad", gives: shown + [.goes(to: .operatorLogin)]) { page in
            try await page.asOperator { _ in try await page.show() }
        }.safe(),
        .event("logoutButtonPressed", gives: [.goes(to: .operatorLogin)]) { $0.logOut() },
        .wake("refreshed", at: { $0.state.refresh }, gives: shown) { try await $0.refresh() },
    ]

    private static let shown: [CommandDeclaration] = [
        .renders(facts), .renders(isReady), .renders(nodes), .renders(slowest), .renders(problems), .renders(errors),
        .renders(lastHour),
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
        render(Self.isReady, overview.facts.health.status == 200)
        render(Self.nodes, overview.servers.isEmpty ? [.current] : overview.servers)
        render(Self.slowest, overview.slowest)
        render(Self.problems, overview.problems)
        render(Self.errors, overview.errors.reversed())
        render(Self.lastHour, overview.lastHour)
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
