import Accounts
import Addresses
import BusinessLogic
import SessionStorage

/// The logic of the list of sessions.
final class SessionsController: OperatorPage, BusinessLogicController {
    /// Whose sessions.
    static let account = Field<String>(
        "account",
        maximumLength: 254,
        description:
            "The username, the email address or the ID of the account whose sessions are listed; empty for all."
    ).whenAbsent("")
    /// From where the sessions were started.
    static let address = Field<String>(
        "address",
        maximumLength: 45,
        description: "The IP address from which a session without a logged-in user was started; empty for all."
    ).whenAbsent("")
    /// The sessions, in the order in which they were started.
    static let sessions = Output<[SessionSummary]>(
        "sessions",
        description: "The sessions, in the order in which they were started."
    )
    /// Whether there are more sessions.
    static let hasMore = Output<Bool>("hasMore", description: "Whether there are more sessions.")
    /// Why no session is listed.
    static let message = Output<Message?>("message", description: "Why no session is listed.")

    static let events: EventTable<SessionsController> = [
        .event("viewDidLoad", gives: shown) { try await $0.show() }.safe(),
        .default("searchButtonPressed", reads: account, address, gives: shown) {
            try await $0.search(account: $1, address: $2)
        }.safe(),
        .event("moreButtonPressed", gives: shown) { try await $0.showMore() }.safe(),
    ]

    private static let shown: [CommandDeclaration] = [
        .renders(sessions), .renders(hasMore), .renders(message, .noSuchAccount, .noAddress),
        .goes(to: .operatorLogin),
    ]

    /// Which sessions the page shows.
    struct State: Codable, Equatable, Sendable {
        /// The username, the email address or the ID of an account; empty for all sessions.
        var account = ""
        /// The IP address from which a session without a logged-in user was started; empty for all sessions.
        var address = ""
        /// By the numbers of the sessions.
        var part = ListPart<Int>()
    }

    var state = State()

    private func search(account: String, address: String) async throws {
        state = State(account: account, address: address)
        try await show()
    }

    private func showMore() async throws {
        state.part.advance()
        try await show()
    }

    private func show() async throws {
        try await asOperator { administration in
            let (filter, message) = try await filter(administration)
            let sessions =
                message == nil
                ? try await administration.sessions(filter, after: state.part.last, limit: ListPart<Int>.limit) : []
            render(Self.sessions, state.part.cut(sessions, key: \.session.number))
            render(Self.hasMore, state.part.hasMore)
            render(Self.message, message)
        }
    }

    /// Which sessions the page shows, or why it can show none.
    private func filter(_ administration: Administration) async throws -> (SessionFilter, Message?) {
        var filter = SessionFilter()
        if !state.account.isEmpty {
            guard let account = try await administration.database.account(named: state.account) else {
                return (filter, .noSuchAccount)
            }
            filter.user = account.id.text
        }
        if !state.address.isEmpty {
            guard let address = IPAddress(state.address) else { return (filter, .noAddress) }
            filter.address = try await administration.directory.hash(of: address)
        }
        return (filter, nil)
    }
}

extension Message {
    /// No account has this name.
    static let noSuchAccount = Message.unknownAccount.about("account")
    /// A text is not an IP address.
    static let noAddress = Message(
        code: "operator.noAddress",
        text: "Enter an IP address, such as 192.0.2.1",
        field: "address"
    )
}
