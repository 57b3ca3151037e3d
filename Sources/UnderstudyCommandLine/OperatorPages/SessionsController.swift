import Accounts
import BusinessLogic
import SessionStorage

final class SessionsController: OperatorPage, OperatorList {
    /// The username, the email address or the ID of the account whose sessions are listed; empty for all.
    static let account = Field<String>("account", maximumLength: 254).whenAbsent("")
    /// The sessions, in the order in which they were started.
    static let sessions = Output<[ListedSession]>("sessions")
    /// Why no session is listed.
    static let message = Output<Message?>("message")

    static let events: EventTable<SessionsController> = [
        .event("viewDidLoad", gives: shown) { try await $0.show() }.safe(),
        .default("searchButtonPressed", reads: account, gives: shown) { try await $0.search($1) }.safe(),
        .event("startButtonPressed", gives: shown) { try await $0.showStart() }.safe(),
        .event("moreButtonPressed", gives: shown) { try await $0.showMore() }.safe(),
    ]

    private static let shown = [.renders(sessions), .renders(message, .noSuchAccount)] + part

    /// By the numbers of the sessions.
    typealias Key = Int

    var state = ListPart<Key>()

    func show() async throws {
        try await asOperator { administration in
            let name = state.search
            let account = name.isEmpty ? nil : try await administration.database.account(named: name)
            let isUnknown = !name.isEmpty && account == nil
            let (filter, last, limit) = (SessionFilter(user: account?.id.text), state.last, state.limit)
            let sessions = isUnknown ? [] : try await administration.sessions(filter, after: last, limit: limit)
            render(Self.sessions, state.cut(sessions, key: \.number))
            renderPart()
            render(Self.message, isUnknown ? .noSuchAccount : nil)
        }
    }
}

extension Message {
    static let noSuchAccount = Message.unknownAccount.about("account")
}

/// The logic of the page that shows a session while it is used, and ends it.
final class SessionDetailsController: OperatorPage, BusinessLogicController {
    /// The session's ID of eight digits, as logs contain it.
    static let session = Field<String>("session", minimumLength: 1, maximumLength: 254)
    /// The session, without secrets.
    static let shownSession = Output<SessionDetails?>("session")
    /// What has become of the session.
    static let message = Output<Message?>("message")

    static let events: EventTable<SessionDetailsController> = [
        .default("viewDidLoad", reads: session, gives: shown + [.goes(to: .operatorLogin)]) {
            try await $0.load($1)
        }.safe(),
        .event(
            "endButtonPressed",
            reads: session,
            gives: shown + [.renders(message, .sessionEnded), .goes(to: .operatorLogin)]
        ) { try await $0.end($1) },
        .wake("refreshed", at: { $0.state.refresh }, gives: shown) { try await $0.refresh() },
    ]

    private static let shown: [CommandDeclaration] = [.renders(shownSession), .renders(message, .noSuchSession)]

    /// Which session the page follows.
    struct State: Codable, Equatable, Sendable {
        var session: String?
        /// The number of events and the last use of the session when it was shown.
        var events: Int?
        var lastUsed: Timestamp?
        var refresh: Timestamp?
    }

    /// How long an open page waits until it shows what is new.
    static let interval: Duration = .seconds(2)

    var state = State()

    var stateMemorySize: Int? { 64 }

    private func load(_ id: String) async throws {
        try await asOperator { administration in
            state = State(session: id)
            try await show(administration)
        }
    }

    private func end(_ id: String) async throws {
        try await asOperator { administration in
            let session = try await administration.directory.session(brief: id)
            if let session { try await administration.end(session) }
            showNothing()
            render(Self.message, session == nil ? .noSuchSession : .sessionEnded)
        }
    }

    /// Shows the session, unless it is as it was.
    private func show(_ administration: Administration) async throws {
        guard let id = state.session else { return }
        guard let listed = try await administration.directory.session(brief: id),
            let session = try await administration.details(of: listed)
        else {
            showNothing()
            return render(Self.message, .noSuchSession)
        }
        if state.lastUsed != listed.lastUsed || state.events != listed.events {
            if state.lastUsed == nil { render(Self.message, nil) }
            render(Self.shownSession, session)
            (state.events, state.lastUsed) = (listed.events, listed.lastUsed)
        }
        state.refresh = access.administration.clock.now + Self.interval
    }

    private func showNothing() {
        render(Self.shownSession, nil)
        state = State()
    }

    private func refresh() async throws {
        state.refresh = nil
        if let administration = try administrationForRefresh() { try await show(administration) }
    }
}

extension Message {
    static let noSuchSession = Message(
        code: "operator.unknownSession",
        text: "There is no such session, or it has ended"
    )
    static let sessionEnded = Message.notice(code: "operator.sessionEnded", text: "The session was ended")
}
