/// What a controller says of one of its events.
public struct EventDeclaration: Equatable, Codable, Sendable {
    /// The event.
    public let event: Event
    /// Whether this is the event that is meant where none is named.
    public let isDefault: Bool
    /// The fields that the controller reads when it handles the event.
    public let reads: [Field]
}

/// A declared event together with what the controller does when it happens.
public struct EventRow<Controller: AnyObject>: Sendable {
    /// What the controller says of the event.
    public let declaration: EventDeclaration
    /// What the controller does.
    public let handle: @Sendable (Controller) async throws -> Void
    /// Makes values of the fields that the event reads, each a case of its own: right ones, wrong ones. They stand for all
    /// others where somebody wants to see what the controller does.
    public let examples: @Sendable () -> [Value.Object]

    /// An event that has to be named.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - fields: what the controller reads then.
    ///   - examples: values of these fields, for ``examples``.
    ///   - handle: what the controller does.
    public static func event(
        _ event: Event,
        reads fields: [Field] = [],
        examples: @autoclosure @escaping @Sendable () -> [Value.Object] = [],
        handle: @escaping @Sendable (Controller) async throws -> Void
    ) -> EventRow {
        EventRow(
            declaration: EventDeclaration(event: event, isDefault: false, reads: fields),
            handle: handle,
            examples: examples
        )
    }

    /// The event that is meant where none is named.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - fields: what the controller reads then.
    ///   - examples: values of these fields, for ``examples``.
    ///   - handle: what the controller does.
    public static func `default`(
        _ event: Event,
        reads fields: [Field] = [],
        examples: @autoclosure @escaping @Sendable () -> [Value.Object] = [],
        handle: @escaping @Sendable (Controller) async throws -> Void
    ) -> EventRow {
        EventRow(
            declaration: EventDeclaration(event: event, isDefault: true, reads: fields),
            handle: handle,
            examples: examples
        )
    }
}

/// The events of a controller: declaration and dispatch in one, so that the two cannot differ.
///
/// ```swift
/// static let events: EventTable<DoorController> = [
///     .default("openButtonPressed", reads: ["name", .secret("code")]) { try await $0.open() },
///     .event("lockButtonPressed") { $0.lock() },
/// ]
/// ```
public struct EventTable<Controller: AnyObject>: Sendable, ExpressibleByArrayLiteral {
    /// The rows in the order in which they were declared.
    public let rows: [EventRow<Controller>]

    /// A table. Exactly one row has to be the default one, and no event may stand twice; a table is written by a
    /// programmer, so that anything else stops the program when the table is made.
    public init(arrayLiteral rows: EventRow<Controller>...) {
        precondition(
            rows.count { $0.declaration.isDefault } == 1,
            "\(Controller.self) declares \(rows.count { $0.declaration.isDefault }) default events instead of one"
        )
        precondition(
            Set(rows.map(\.declaration.event)).count == rows.count,
            "\(Controller.self) declares an event twice"
        )
        self.rows = rows
    }

    /// What the controller says of its events.
    public var declarations: [EventDeclaration] { rows.map(\.declaration) }

    /// The place of an event in ``rows``.
    ///
    /// - Throws: ``EventError/unknownEvent(_:events:)``.
    package func index(of event: Event) throws(EventError) -> Int {
        // Element by element, none of which is copied on the way.
        for index in rows.indices where rows[index].declaration.event == event { return index }
        throw .unknownEvent(event, events: rows.map(\.declaration.event))
    }
}
