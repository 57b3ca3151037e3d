import Accounts
import BusinessLogic

/// The logic of the list of accounts.
final class AccountsController: OperatorPage, BusinessLogicController {
    /// What the username, the email address or the ID of an account contains, in any case.
    static let search = Field<String>("search", maximumLength: 254).whenAbsent("")
    /// The accounts, sorted by username.
    static let accounts = Output<[AccountSummary]>("accounts")
    /// Whether there are more accounts.
    static let hasMore = Output<Bool>("hasMore")

    static let events: EventTable<AccountsController> = [
        .event("viewDidLoad", gives: shown) { try await $0.show() }.safe(),
        .default("searchButtonPressed", reads: search, gives: shown) { try await $0.search($1) }.safe(),
        .event("moreButtonPressed", gives: shown) { try await $0.showMore() }.safe(),
    ]

    private static let shown: [CommandDeclaration] = [
        .renders(accounts), .renders(hasMore), .goes(to: .operatorLogin),
    ]

    /// Which accounts the page shows.
    struct State: Codable, Equatable, Sendable {
        var search = ""
        var part = ListPart<[UInt8]>()
    }

    var state = State()

    private func search(_ text: String) async throws {
        state = State(search: text)
        try await show()
    }

    private func showMore() async throws {
        state.part.advance()
        try await show()
    }

    private func show() async throws {
        try await asOperator { administration in
            let accounts = try await administration.accounts(
                state.search,
                after: state.part.last,
                limit: ListPart<[UInt8]>.limit
            )
            render(Self.accounts, state.part.cut(accounts, key: \.account.usernameKey))
            render(Self.hasMore, state.part.hasMore)
        }
    }
}
