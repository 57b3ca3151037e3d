import BusinessLogic
import SessionStorage

/// The logic of the page that shows a session while it is used, and ends it.
final class SessionDetailsController: OperatorPage, BusinessLogicController {
    /// The session's ID.
    static let session = Field<String>(
        "session",
        minimumLength: 8,
        maximumLength: 8,
        description: "The session's ID of eight digits, as logs contain it."
    )
    /// The session.
    static let shownSession = Output<SessionDetails?>("session", description: "The session, without secrets.")
    /// The session as JSON.
    static let json = Output<String?>(
        "json",
        description:
            "The session as JSON, as `understudy session show --json` prints it; only until the session changes."
    )
    /// What has become of the session.
    static let message = Output<Message?>("message", description: "What has become of the session.")

    static let events: EventTable<SessionDetailsController> = [
        .default("viewDidLoad", reads: session, gives: shown + [.goes(to: .operatorLogin)]) {
            try await $0.load($1)
        }.safe(),
        .event(
            "jsonButtonPressed",
            reads: session,
            gives: [.renders(json), .renders(message, .noSuchSession), .goes(to: .operatorLogin)]
        ) { try await $0.showJSON($1) }.safe(),
        .event(
            "endButtonPressed",
            reads: session,
            gives: shown + [.renders(message, .sessionEnded), .goes(to: .operatorLogin)]
        ) { try await $0.end($1) },
        .wake("refreshed", at: { $0.state.refresh }, gives: shown) { try await $0.refresh() },
    ]

    private static let shown: [CommandDeclaration] = [
        .renders(shownSession), .renders(json), .renders(message, .noSuchSession),
    ]

    /// Which session the page follows.
    struct State: Codable, Equatable, Sendable {
        var session: String?
        /// The number of events and the last use of the session when it was shown.
        var events: Int?
        var lastUsed: Timestamp?
        var showsJSON = false
        var refresh: Timestamp?
    }

    /// How long an open page waits until it shows what is new.
    static let interval: Duration = .seconds(2)

    var state = State()

    var stateMemorySize: Int? { 64 }

    private func load(_ id: String) async throws {
        try await asOperator { administration in
            hideJSON()
            state = State(session: id)
            try await show(administration)
        }
    }

    private func showJSON(_ id: String) async throws {
        try await asOperator { administration in
            let json = try await details(id, administration)?.value.line
            render(Self.json, json)
            state.showsJSON = json != nil
            render(Self.message, json == nil ? .noSuchSession : nil)
        }
    }

    private func end(_ id: String) async throws {
        try await asOperator { administration in
            let sessions = try await administration.directory.sessions(brief: id)
            // One of four billion pairs has the same digits.
            let session = sessions.count == 1 ? sessions.first : nil
            if let session { try await administration.end(session) }
            showNothing()
            render(Self.message, session == nil ? .noSuchSession : .sessionEnded)
        }
    }

    /// Shows the session, unless it is as it was.
    private func show(_ administration: Administration) async throws {
        guard let id = state.session else { return }
        guard let session = try await details(id, administration) else {
            showNothing()
            return render(Self.message, .noSuchSession)
        }
        let summary = session.summary.session
        if state.lastUsed != summary.lastUsed || state.events != summary.events {
            if state.lastUsed == nil { render(Self.message, nil) }
            render(Self.shownSession, session)
            hideJSON()
            (state.events, state.lastUsed) = (summary.events, summary.lastUsed)
        }
        state.refresh = access.administration.clock.now + Self.interval
    }

    private func details(_ id: String, _ administration: Administration) async throws -> SessionDetails? {
        guard let session = try await administration.directory.sessions(brief: id).first else { return nil }
        return try await administration.details(of: session)
    }

    private func showNothing() {
        render(Self.shownSession, nil)
        hideJSON()
        state = State()
    }

    /// Shows no JSON any more, because it is not up to date.
    private func hideJSON() {
        guard state.showsJSON else { return }
        render(Self.json, nil)
        state.showsJSON = false
    }

    private func refresh() async throws {
        state.refresh = nil
        if let administration = try administrationForRefresh() { try await show(administration) }
    }
}

extension Message {
    /// There is no such session.
    static let noSuchSession = Message(
        code: "operator.unknownSession",
        text: "There is no such session, or it has ended"
    )
    /// The session was ended.
    static let sessionEnded = Message.notice(code: "operator.sessionEnded", text: "The session was ended")
}
