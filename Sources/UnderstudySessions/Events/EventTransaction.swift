package import BusinessLogic
package import UnderstudyPages

/// An event of a session, all or nothing: after ``rollBack()``, the history, the screen, the fields, the controller's state and the
/// logged-in user are as before.
///
/// Begin it with ``init(_:of:in:values:origin:)``, let the controller ``handle()`` it, and end it with ``commit()``, or with ``rollBack()`` if
/// something has thrown an error.
///
/// Use it only while holding the session's lock.
package struct EventTransaction: ~Copyable {
    package let screen: Session.Screen
    private let session: Session
    private let index: Int
    private let isFirstOfScreen: Bool
    /// The number of the session's last command before the event.
    package let start: Int
    /// Restores the controller's state; `nil` before the controller has handled the event.
    private var restoreState: (() -> Void)?
    /// The bytes that the screen may take after the event, and those of the controller's state.
    private var room = Int.max, stateSize = 0

    /// Begins the event, after checking that every field that it reads has a valid value.
    ///
    /// - Parameters:
    ///   - index: the event's index in the page's declarations.
    ///   - page: the page.
    ///   - session: the session.
    ///   - values: the values that came with the event.
    ///   - rejected: what is wrong with further values.
    ///   - origin: the event's request.
    /// - Throws: ``/BusinessLogic/EventError``, before anything has changed.
    package init(
        _ index: Int,
        of page: Page,
        in session: Session,
        values: Value.Object,
        rejected: FieldFaults = .none,
        origin: RequestOrigin? = nil
    ) throws(EventError) {
        let existing = session.existingScreen(of: page)
        // The page's field combines the declarations of all its events, so that only the event's own declaration is exact.
        let declaration = page.declarations[index]
        try declaration.requireFields(in: values, or: existing?.recorder, rejected: rejected)
        self.session = session
        self.index = index
        isFirstOfScreen = existing == nil
        screen = existing ?? session.add(page)
        start = session.history.sequence
        session.identity.beginEvent(from: origin)
        screen.recorder.beginEvent(declaration, with: values)
    }

    /// Makes the page follow topics from its first event on.
    package func startUpdates(_ topics: Topics) {
        if isFirstOfScreen { screen.updates?.progress.start(topics) }
    }

    /// The commands that the event has given.
    package var commands: ArraySlice<CommandHistory.Entry> { screen.recorder.eventCommands }

    /// What the event used although its declaration does not name it. Call after ``commit()``.
    package var undeclared: [UndeclaredUse] { screen.recorder.undeclared }

    /// Makes the controller handle the event.
    ///
    /// - Throws: what the controller throws.
    package mutating func handle() async throws {
        restoreState = try await screen.controller.handleEvent(at: index)
        // Computing the size encodes the values, which takes 5,000 instructions for those of the login.
        if session.values.mayHaveOtherSize { session.valuesSize = session.values.size }
    }

    /// Checks that the session has enough room for what the event stores.
    ///
    /// - Parameters:
    ///   - responseSize: the bytes that storing the response needs.
    ///   - limit: the maximum number of bytes that the session may take.
    /// - Throws: ``Problem`` `sessionFull`.
    package mutating func requireMemory(forResponse responseSize: Int, limit: Int) throws(Problem) {
        room = limit - responseSize - session.contentSize + screen.size
        stateSize = screen.controller.stateSize
        guard screen.fitsEvent(in: room, stateSize: stateSize) else {
            throw Problem(
                .sessionFull,
                "With this event, the session would take more than \(limit) bytes.",
                members: ["limit": Value(limit)]
            )
        }
    }

    /// Keeps what the event has changed.
    package func commit() {
        if !screen.page.secretOutputs.isEmpty { eraseSecrets() }
        screen.recorder.commitEvent(dropping: screen.page.secrets)
        session.values.commit()
        screen.updateSizeAfterEvent(in: room, stateSize: stateSize)
        if session.identity.hasLoggedOut { session.forgetUser(before: start) }
    }

    /// Removes what secret outputs have shown before, if the event has rendered them again.
    private func eraseSecrets() {
        for entry in session.history.current(since: start) {
            guard case .render(let key, _, _) = entry.command, screen.page.secretOutputs.contains(key) else { continue }
            session.history.eraseTexts(under: key, of: screen.page.name, through: start)
        }
    }

    /// Undoes what the event has changed.
    package func rollBack() {
        restoreState?()
        screen.recorder.rollBackEvent(dropping: screen.page.secrets)
        session.identity.rollBack()
        session.values.rollBack()
        if isFirstOfScreen { session.removeLastScreen() }
        session.valuesSize = session.values.size
    }
}
