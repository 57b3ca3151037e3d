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
    /// What has become of the session.
    package static let message = Output<Message?>("message", description: "What has become of the session.")

    package static let events: EventTable<SessionDetailsController> = [
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

    private static let shown: [CommandDeclaration] = [.renders(shownSession), .renders(message, .unknownSession)]

    /// Which session the page follows.
    package struct State: Codable, Equatable, Sendable {
        var session: String?
        /// The number of events and the last use of the session when it was shown.
        var events = 0
        var lastUsed: Timestamp?
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
            state = State(session: id)
            try await show()
        }
    }

    private func end(_ id: String) async throws {
        try await asOperator { client in
            state = State()
            let isEnded = try await administration.endSession(id, by: client)
            render(Self.shownSession, nil)
            render(Self.message, isEnded ? .sessionEnded : .unknownSession)
        }
    }

    /// Shows the session, unless it is as it was.
    private func show() async throws {
        guard let id = state.session else { return }
        guard let session = try await administration.session(id) else {
            state = State()
            render(Self.shownSession, nil)
            return render(Self.message, .unknownSession)
        }
        let summary = session.summary
        if state.lastUsed != summary.lastUsed || state.events != summary.events {
            if state.lastUsed == nil { render(Self.message, nil) }
            render(Self.shownSession, session)
            (state.events, state.lastUsed) = (summary.events, summary.lastUsed)
        }
        state.refresh = clock.now + Self.interval
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
