package import BusinessLogic

/// An event of a session, all or nothing: if it fails, the history, the screen, the fields, the controller's state and the
/// logged-in user stay as before.
///
/// Use it only while holding the session's lock.
package struct EventTransaction: ~Copyable {
    package let screen: Session.Screen
    private let session: Session
    private let index: Int
    private let values: Value.Object
    private let isFirstOfScreen: Bool
    /// The number of the session's last command before the event.
    let start: Int

    /// Checks that every field that the event reads has a value of its kind that is not too long.
    ///
    /// - Parameters:
    ///   - index: the event's index in the page's events.
    ///   - page: the page.
    ///   - session: the session.
    ///   - values: the values that came with the event.
    ///   - origin: the event's request.
    /// - Throws: ``/BusinessLogic/EventError``, before anything has changed.
    package init(
        _ index: Int,
        of page: Page,
        in session: Session,
        values: Value.Object,
        origin: RequestOrigin? = nil
    ) throws(EventError) {
        let existing = session.existingScreen(of: page)
        // The page's field combines the declarations of all its events, so that only the event's own declaration is exact.
        try page.events[index].requireFields(in: values, or: existing?.recorder)
        self.session = session
        self.index = index
        self.values = values
        isFirstOfScreen = existing == nil
        screen = existing ?? session.add(page)
        start = session.history.sequence
        session.identity.beginEvent(from: origin)
    }

    /// What the event used although its declaration does not name it. Call after the event has succeeded.
    var undeclared: [UndeclaredUse] { screen.recorder.undeclared }

    /// Runs the event.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of bytes that the session may take.
    ///   - failing: called if the event fails, before the session is restored.
    ///   - reserve: receives the event's commands; returns the number of bytes that storing the response needs. It throws to undo the
    ///     event.
    /// - Throws: what the controller or `reserve` throws; ``Problem`` `sessionFull` if the session would take more than `limit` bytes.
    @inline(__always)
    package func run(
        limit: Int = .max,
        failing: () -> Void = {},
        reserve: (ArraySlice<CommandHistory.Entry>) throws -> Int = { _ in 0 }
    ) async throws {
        var room = Int.max
        do {
            try await screen.run(eventAt: index, with: values, identity: session.identity, failing: failing) {
                if !session.values.isEmpty { session.valuesSize = session.values.size }
                room = limit - (try reserve(screen.recorder.eventCommands)) - session.contentSize + screen.size
                guard screen.fitsEvent(in: room) else {
                    throw Problem(
                        .sessionFull,
                        "With this event, the session would take more than \(limit) bytes.",
                        members: ["limit": Value(limit)]
                    )
                }
            }
        } catch {
            if isFirstOfScreen { session.removeLastScreen() }
            session.valuesSize = session.values.isEmpty ? 0 : session.values.size
            throw error
        }
        screen.updateSizeAfterEvent(in: room)
        if session.identity.hasLoggedOut { session.forgetUser(before: start) }
    }
}
