import BusinessLogic

/// An event of a session that is being handled. It collects what the event changes, and applies all of it or nothing: the
/// history, the screen, the fields, what the controller remembers, and who is logged in.
///
/// Used in the session's turn. Either ``commit(limit:reserve:)`` or ``rollBack()`` ends it.
struct EventTransaction {
    let session: Session
    let screen: Session.Screen
    /// The number of the session's last command before the event.
    let start: Int
    private let isFirstOfScreen: Bool
    private let state: any Codable & Sendable

    /// Begins an event.
    ///
    /// - Parameters:
    ///   - existing: the page's screen, if the session has used it.
    ///   - values: what came with the event. Fields that are secret do not keep it.
    init(
        on page: Page,
        _ existing: Session.Screen?,
        of session: Session,
        values: Value.Object,
        origin: RequestOrigin? = nil
    ) {
        self.session = session
        screen = existing ?? session.add(page)
        isFirstOfScreen = existing == nil
        state = screen.controller.anyState
        session.identity.origin = origin
        screen.recorder.beginEvent(with: values)
        start = session.history.sequence
    }

    /// The commands that the event has given so far.
    var commands: ArraySlice<CommandHistory.Entry> { session.history.current(since: start) }

    /// Applies what the event has changed, unless the session would then hold more than it may: in that case the event is
    /// rolled back.
    ///
    /// - Parameters:
    ///   - limit: how many bytes the session may hold.
    ///   - reserve: how many of them are needed for what is stored of the response.
    /// - Throws: ``Problem`` `sessionFull`.
    func commit(limit: Int, reserve: Int) throws(Problem) {
        guard screen.commitEvent(room: limit - reserve - session.contentSize + screen.size) else {
            rollBack()
            throw Problem(
                .sessionFull,
                "With this event, the session would hold more than \(limit) bytes.",
                members: ["limit": Value(limit)]
            )
        }
    }

    /// Drops what the event has changed.
    func rollBack() {
        screen.recorder.rollBackEvent()
        screen.controller.putBack(state)
        session.identity.rollBackEvent()
        if isFirstOfScreen { session.removeLastScreen() }
    }
}
