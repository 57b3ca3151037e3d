/// When an update is due. Its functions receive the controller.
// Not generic over the controller, because code for any type would look up the metadata of its triggers for each event.
@usableFromInline
enum UpdateTrigger: Sendable {
    /// After one of the topics has been published.
    case topics(@Sendable (AnyObject) -> [Topic])
    /// At that time; never if `nil`.
    case time(@Sendable (AnyObject) -> Timestamp?)
}

/// Updates: events that no client can send, with which a controller shows what has changed without its client.
///
/// An update reads no fields. In all other respects it is an event: it is declared, recorded and replayed, and all or nothing. It runs while a
/// client waits for it, and otherwise before the next event or read of the page. If it fails, it runs again later.
extension EventRow {
    /// Declares an update that follows topics, which may depend on the controller's state.
    ///
    /// ```swift
    /// .update("slotsChanged", on: { $0.state.day.map { [.slots(on: $0)] } ?? [] }, gives: [.renders(slots)]) {
    ///     $0.show()
    /// },
    /// ```
    ///
    /// - Parameters:
    ///   - event: the event that the controller handles after one of the topics has been published.
    ///   - topics: returns the topics. It must depend on nothing but the controller's state. The controllers of a session can follow 64 topics
    ///     together.
    ///   - commands: the commands that the controller may give.
    ///   - handle: handles the event: reads again what the controller shows. It cannot change the session's user.
    public static func update(
        _ event: Event,
        on topics: @escaping @Sendable (Controller) -> [Topic],
        gives commands: [CommandDeclaration] = [],
        handle: @escaping @Sendable (Controller) async throws -> Void
    ) -> EventRow {
        let declaration = EventDeclaration(event, reads: [], gives: commands)
        let trigger = UpdateTrigger.topics { topics(unsafeDowncast($0, to: Controller.self)) }
        return EventRow(declaration, examples: { [] }, trigger: trigger) { controller, _ in
            try await handle(controller)
        }
    }

    /// Declares an update that always follows the same topic.
    ///
    /// - Parameters:
    ///   - event: the event that the controller handles after the topic has been published.
    ///   - topic: the topic.
    ///   - commands: the commands that the controller may give.
    ///   - handle: handles the event: reads again what the controller shows. It cannot change the session's user.
    public static func update(
        _ event: Event,
        on topic: Topic,
        gives commands: [CommandDeclaration] = [],
        handle: @escaping @Sendable (Controller) async throws -> Void
    ) -> EventRow {
        update(event, on: { _ in [topic] }, gives: commands, handle: handle)
    }

    /// Declares a timer: an update at a time that the controller's state contains.
    ///
    /// ```swift
    /// .wake(
    ///     "holdEnded",
    ///     at: { $0.state.nextEnd },
    ///     gives: [.renders(slots), .renders(held), .renders(message, .holdEnded)]
    /// ) { $0.holdEnded() },
    /// ```
    ///
    /// - Parameters:
    ///   - event: the event that the controller handles at the time or later.
    ///   - time: returns the time; `nil` for never. It must depend on nothing but the controller's state. The event is not repeated for the
    ///     same time.
    ///   - commands: the commands that the controller may give.
    ///   - handle: handles the event. It cannot change the session's user.
    public static func wake(
        _ event: Event,
        at time: @escaping @Sendable (Controller) -> Timestamp?,
        gives commands: [CommandDeclaration] = [],
        handle: @escaping @Sendable (Controller) async throws -> Void
    ) -> EventRow {
        let declaration = EventDeclaration(event, reads: [], gives: commands)
        let trigger = UpdateTrigger.time { time(unsafeDowncast($0, to: Controller.self)) }
        return EventRow(declaration, examples: { [] }, trigger: trigger) { controller, _ in
            try await handle(controller)
        }
    }
}
