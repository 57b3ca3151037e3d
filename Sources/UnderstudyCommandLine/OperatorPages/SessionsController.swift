import Accounts
import BusinessLogic
import SessionStorage

/// The logic of the list of sessions.
final class SessionsController: OperatorPage, BusinessLogicController {
    /// The username, the email address or the ID of the account whose sessions are listed; empty for all.
    static let account = Field<String>("account", maximumLength: 254).whenAbsent("")
    /// The sessions, in the order in which they were started.
    static let sessions = Output<[SessionSummary]>("sessions")
    /// Whether there are more sessions.
    static let hasMore = Output<Bool>("hasMore")
    /// Why no session is listed.
    static let message = Output<Message?>("message")

    static let events: EventTable<SessionsController> = [
        .event("viewDidLoad", gives: shown) { try await $0.show() }.safe(),
        .default("searchButtonPressed", reads: account, gives: shown) { try await $0.search($1) }.safe(),
        .event("moreButtonPressed", gives: shown) { try await $0.showMore() }.safe(),
    ]

    private static let shown: [CommandDeclaration] = [
        .renders(sessions), .renders(hasMore), .renders(message, .noSuchAccount),
        .goes(to: .operatorLogin),
    ]

    /// Which sessions the page shows.
    struct State: Codable, Equatable, Sendable {
        /// The username, the email address or the ID of an account; empty for all sessions.
        var account = ""
        /// By the numbers of the sessions.
        var part = ListPart<Int>()
    }

    var state = State()

    private func search(_ account: String) async throws {
        state = State(account: account)
        try await show()
    }

    private func showMore() async throws {
        state.part.advance()
        try await show()
    }

    private func show() async throws {
        try await asOperator { administration in
            var filter = SessionFilter()
            if !state.account.isEmpty {
                filter.user = try await administration.database.account(named: state.account)?.id.text
            }
            let isUnknown = !state.account.isEmpty && filter.user == nil
            let (last, limit) = (state.part.last, ListPart<Int>.limit)
            let sessions = isUnknown ? [] : try await administration.sessions(filter, after: last, limit: limit)
            render(Self.sessions, state.part.cut(sessions, key: \.session.number))
            render(Self.hasMore, state.part.hasMore)
            render(Self.message, isUnknown ? .noSuchAccount : nil)
        }
    }
}

extension Message {
    /// No account has this name.
    static let noSuchAccount = Message.unknownAccount.about("account")
}
