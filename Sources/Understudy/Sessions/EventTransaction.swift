package import BusinessLogic

/// An event of a session, whose fields have been checked. All that it changes is kept, or nothing: the history, the screen,
/// the fields, what the controller remembers, and who is logged in.
///
/// Used while the session's lock is held.
package struct EventTransaction {
    package let screen: Session.Screen
    private let session: Session
    private let index: Int
    private let values: Value.Object
    private let isFirstOfScreen: Bool
    /// The number of the session's last command before the event.
    let start: Int

    /// Checks that every field that the event reads is there, of its kind and not too long.
    ///
    /// - Parameters:
    ///   - index: the event's place in the page's events.
    ///   - page: the page.
    ///   - session: the session.
    ///   - values: what came with the event.
    ///   - origin: the request that brought it.
    /// - Throws: ``/BusinessLogic/EventError``; nothing has changed then.
    package init(
        _ index: Int,
        of page: Page,
        in session: Session,
        values: Value.Object,
        origin: RequestOrigin? = nil
    ) throws(EventError) {
        let existing = session.existingScreen(of: page)
        // The page's field may be optional, or longer, for another event's sake.
        try page.events[index].requireFields { values[$0] ?? existing?.recorder.getValue($0) }
        self.session = session
        self.index = index
        self.values = values
        isFirstOfScreen = existing == nil
        screen = existing ?? session.add(page)
        start = session.history.sequence
        session.identity.beginEvent(from: origin)
    }

    /// Runs the event.
    ///
    /// - Parameters:
    ///   - limit: how many bytes the session may take.
    ///   - failing: called before everything is as before, since the event has failed.
    ///   - reserve: given the event's commands; returns how many bytes are needed for what is stored of the response.
    /// - Throws: what the controller throws; ``Problem`` `sessionFull` if the session would take more than `limit` bytes.
    package func run(
        limit: Int = .max,
        failing: () -> Void = {},
        reserve: (ArraySlice<CommandHistory.Entry>) -> Int = { _ in 0 }
    ) async throws {
        var room = Int.max
        do {
            try await screen.run(eventAt: index, with: values, identity: session.identity, failing: failing) {
                room = limit - reserve(screen.recorder.eventCommands) - session.contentSize + screen.size
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
            throw error
        }
        screen.settle(in: room)
    }
}
