package import BusinessLogic

/// The logic of the page that shows a session while it is used, and ends it.
package final class SessionDetailsController: OperatorController {
    /// The session's ID.
    package static let session = Field<String>(
        "session",
        minimumLength: 8,
        maximumLength: 8,
        description: "The session's ID of eight digits, as logs contain it."
    )
    /// The session.
    package static let shownSession = Output<SessionDetails?>("session", description: "The session, without secrets.")
    /// The session as JSON.
    package static let json = Output<String?>(
        "json",
        description:
            "The session as JSON, as `understudy session show --json` prints it; only until the session changes."
    )
    /// What has become of the session.
    package static let message = Output<Message?>("message", description: "What has become of the session.")

    package static let events: EventTable<SessionDetailsController> = [
        .default("viewDidLoad", reads: session, gives: shown + [.goes(to: .operatorLogin)]) {
            try await $0.load($1)
        }.safe(),
        .event(
            "jsonButtonPressed",
            reads: session,
            gives: [.renders(json), .renders(message, .unknownSession), .goes(to: .operatorLogin)]
        ) { try await $0.showJSON($1) }.safe(),
        .event(
            "endButtonPressed",
            reads: session,
            gives: shown + [.renders(message, .sessionEnded), .goes(to: .operatorLogin)]
        ) { try await $0.end($1) },
        .wake("refreshed", at: { $0.state.refresh }, gives: shown) { try await $0.refresh() },
    ]

    private static let shown: [CommandDeclaration] = [
        .renders(shownSession), .renders(json), .renders(message, .unknownSession),
    ]

    /// Which session the page follows.
    package struct State: Codable, Equatable, Sendable {
        var session: String?
        /// The number of events and the last use of the session when it was shown.
        var events: Int?
        var lastUsed: Timestamp?
        var showsJSON = false
        var refresh: Timestamp?
    }

    /// How long an open page waits until it shows what is new.
    static let interval: Duration = .seconds(2)

    package weak var controllable: (any Controllable)?
    package var state = State()
    package let administration: any Administration
    package let identity: any Identity
    private let clock: any WallClock

    package init(administration: any Administration, identity: any Identity, clock: any WallClock) {
        self.administration = administration
        self.identity = identity
        self.clock = clock
    }

    package var stateMemorySize: Int? { 64 }

    private func load(_ id: String) async throws {
        try await asOperator { _ in
            hideJSON()
            state = State(session: id)
            try await show()
        }
    }

    private func showJSON(_ id: String) async throws {
        try await asOperator { _ in
            let json = try await administration.sessionAsJSON(id)
            render(Self.json, json)
            state.showsJSON = json != nil
            render(Self.message, json == nil ? .unknownSession : nil)
        }
    }

    private func end(_ id: String) async throws {
        try await asOperator { client in
            let isEnded = try await administration.endSession(id, by: client)
            showNothing()
            render(Self.message, isEnded ? .sessionEnded : .unknownSession)
        }
    }

    /// Shows the session, unless it is as it was.
    private func show() async throws {
        guard let id = state.session else { return }
        guard let session = try await administration.session(id) else {
            showNothing()
            return render(Self.message, .unknownSession)
        }
        let summary = session.summary
        if state.lastUsed != summary.lastUsed || state.events != summary.events {
            if state.lastUsed == nil { render(Self.message, nil) }
            render(Self.shownSession, session)
            hideJSON()
            (state.events, state.lastUsed) = (summary.events, summary.lastUsed)
        }
        state.refresh = clock.now + Self.interval
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
        if try await mayRefresh() { try await show() }
    }
}

extension Message {
    /// There is no such session.
    static let unknownSession = Message(
        code: "operator.unknownSession",
        text: "There is no such session, or it has ended"
    )
    /// The session was ended.
    static let sessionEnded = Message.notice(code: "operator.sessionEnded", text: "The session was ended")
}
