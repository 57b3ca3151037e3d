package import BusinessLogic
package import UnderstudyPages

/// An event of a session, all or nothing: after ``rollBack()``, the history, the screen, the fields, the controller's state and the
/// logged-in user are as before.
///
/// Begin it with ``Session/beginEvent(_:of:values:rejected:origin:)``, let the screen's controller handle it, and end it with ``commit()``, or
/// with ``rollBack()`` if something has thrown an error.
///
/// Use it only while holding the session's lock.
package struct EventTransaction: ~Copyable {
    package let screen: Session.Screen
    fileprivate let session: Session
    fileprivate let isFirstOfScreen: Bool
    /// The number of the session's last command before the event.
    package let start: Int
    /// Whether the event may have set a value that the session's pages share.
    private var mayHaveSetValues = true
    /// The bytes that the screen may take after the event, and those of the controller's state.
    private var room = Int.max, stateSize = 0

    fileprivate init(screen: Session.Screen, session: Session, isFirstOfScreen: Bool) {
        self.screen = screen
        self.session = session
        self.isFirstOfScreen = isFirstOfScreen
        start = session.history.sequence
    }

    /// Makes the page follow topics from its first event on.
    package func startUpdates(_ topics: Topics) {
        if isFirstOfScreen { screen.updates?.progress.start(topics) }
    }

    package var commands: ArraySlice<CommandHistory.Entry> { screen.recorder.eventCommands }

    /// What the event used although its declaration does not name it. Call after ``commit()``.
    package var undeclared: [UndeclaredUse] { screen.recorder.undeclared }

    /// Checks that the session, which may take `limit` bytes, has enough room for what the event stores, and for a response of `responseSize` bytes.
    /// Call when the controller has handled the event.
    package mutating func requireMemory(forResponse responseSize: Int, limit: Int) throws(Problem) {
        mayHaveSetValues = session.values.mayHaveOtherSize
        // Computing the size encodes the values, which takes 5,000 instructions for those of the login.
        if mayHaveSetValues { session.values.lastSize = session.values.size }
        room = limit - responseSize - session.contentSize + screen.size
        stateSize = screen.controller.stateSize
        guard screen.fitsEvent(in: room, stateSize: stateSize) else { throw .sessionFull(limit) }
    }

    package func commit() {
        if !screen.page.secretOutputs.isEmpty { eraseSecrets() }
        screen.recorder.commitEvent(dropping: screen.page.secrets)
        if mayHaveSetValues { session.values.commit() }
        screen.updateSizeAfterEvent(in: room, stateSize: stateSize)
        if session.identity.hasLoggedOut { session.forgetUser(before: start) }
    }

    /// Removes what secret outputs have shown before, if the event has rendered them again.
    private func eraseSecrets() {
        for entry in session.history.current(since: start) {
            guard case .render(let key, _, _) = entry.command, screen.page.secretOutputs.contains(key) else { continue }
            session.history.eraseTexts(under: key, of: screen.page.name, through: start)
            session.idempotencyCache.removeSealed()
            session.sharedVersion?.replaceEvents()
        }
    }

    /// Undoes what the event has changed, except the controller's state, which the controller restores itself.
    package func rollBack() {
        screen.recorder.rollBackEvent(dropping: screen.page.secrets)
        session.identity.rollBack()
        session.values.rollBack()
        if isFirstOfScreen { session.removeLastScreen() }
        session.values.lastSize = session.values.size
    }
}

extension Problem {
    fileprivate static func sessionFull(_ limit: Int) -> Problem {
        Problem(
            .sessionFull,
            "With this event, the session could take more than \(limit) bytes.",
            members: ["limit": Value(limit)]
        )
    }
}

extension Session {
    /// The bytes that must be free before an event that may change data, which few events exceed.
    private static let reserve = 2048

    /// Checks that there is room for an event that may change data outside of the session, because its change may stay if the event then
    /// fails.
    package func requireReserve(for event: PostedEvent, limit: Int) throws(Problem) {
        if !event.page.events[event.index].isSafe, contentSize + Self.reserve > limit { throw .sessionFull(limit) }
    }

    /// Begins an event, after checking that every field that it reads has a valid value.
    ///
    /// - Parameters:
    ///   - index: the event's index in the page's declarations.
    ///   - rejected: what is wrong with values that are not among `values`.
    /// - Throws: ``/BusinessLogic/EventError``, before anything has changed.
    package func beginEvent(
        _ index: Int,
        of page: Page,
        values: Value.Object,
        rejected: FieldFaults = .none,
        origin: RequestOrigin? = nil
    ) throws(EventError) -> EventTransaction {
        let existing = existingScreen(of: page)
        // The page's field combines the declarations of all its events, so that only the event's own declaration is exact.
        let declaration = page.declarations[index]
        try declaration.requireFields(in: values, or: existing?.recorder, rejected: rejected)
        let screen = existing ?? add(page)
        identity.beginEvent(from: origin)
        screen.recorder.beginEvent(declaration, with: values)
        return EventTransaction(screen: screen, session: self, isFirstOfScreen: existing == nil)
    }
}
