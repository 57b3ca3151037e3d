package import BusinessLogic

/// The logic of the list of sessions.
package final class SessionsController: OperatorController {
    /// Whose sessions.
    package static let account = Field<String>(
        "account",
        maximumLength: 254,
        description:
            "The username, the email address or the ID of the account whose sessions are listed; empty for all.",
        whenAbsent: ""
    )
    /// From where the sessions were started.
    package static let address = Field<String>(
        "address",
        maximumLength: 45,
        description: "The IP address from which a session without a logged-in user was started; empty for all.",
        whenAbsent: ""
    )
    /// The sessions, in the order in which they were started.
    package static let sessions = Output<[SessionSummary]>(
        "sessions",
        description: "The sessions, in the order in which they were started."
    )
    /// Whether there are more sessions.
    package static let hasMore = Output<Bool>("hasMore", description: "Whether there are more sessions.")
    /// Why no session is listed.
    package static let message = Output<Message?>("message", description: "Why no session is listed.")

    package static let events: EventTable<SessionsController> = [
        .event("viewDidLoad", gives: shown) { try await $0.show() }.safe(),
        .default("searchButtonPressed", reads: account, address, gives: shown) {
            try await $0.search(SelectedSessions(account: $1, address: $2))
        }.safe(),
        .event("moreButtonPressed", gives: shown) { try await $0.showMore() }.safe(),
    ]

    private static let shown: [CommandDeclaration] = [
        .renders(sessions), .renders(hasMore), .renders(message, .noSuchAccount, .noAddress),
        .goes(to: .operatorLogin),
    ]

    /// Which sessions the page shows.
    package struct State: Codable, Equatable, Sendable {
        var selection = SelectedSessions()
        /// By the numbers of the sessions.
        var part = ListPart<Int>()
    }

    package weak var controllable: (any Controllable)?
    package var state = State()
    package let administration: any Administration
    package let identity: any Identity

    package init(administration: any Administration, identity: any Identity) {
        self.administration = administration
        self.identity = identity
    }

    private func search(_ selection: SelectedSessions) async throws {
        state = State(selection: selection)
        try await show()
    }

    private func showMore() async throws {
        state.part.advance()
        try await show()
    }

    private func show() async throws {
        try await asOperator { _ in
            var sessions: [SessionSummary] = []
            var message: Message?
            do {
                sessions = try await administration.sessions(
                    state.selection,
                    after: state.part.last ?? 0,
                    limit: ListPart<Int>.limit
                )
            } catch let reason as InvalidSelection {
                message = reason == .account ? .noSuchAccount : .noAddress
            }
            render(Self.sessions, state.part.cut(sessions, key: \.number))
            render(Self.hasMore, state.part.hasMore)
            render(Self.message, message)
        }
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
