/// The declaration of an event: its name and the fields that it reads.
public struct EventDeclaration: Equatable, Codable, Sendable {
    /// The event.
    public let event: Event
    /// Whether this is the default event, which a request means if it names none.
    public let isDefault: Bool
    /// The fields that the controller reads when it handles the event.
    public let reads: [Field]
}

/// An event's declaration and its handler.
public struct EventRow<Controller: AnyObject>: Sendable {
    /// The event's name and the fields that it reads.
    public let declaration: EventDeclaration
    /// Handles the event.
    public let handle: @Sendable (Controller) async throws -> Void
    /// Returns example values of the fields that the event reads, one object for each case: valid and invalid ones. A state
    /// diagram sends them.
    public let examples: @Sendable () -> [Value.Object]

    /// Declares an event that a request must name.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - fields: the fields that the controller reads.
    ///   - examples: example values of these fields; see ``examples``.
    ///   - handle: handles the event.
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

    /// Declares the default event, which a request means if it names none.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - fields: the fields that the controller reads.
    ///   - examples: example values of these fields; see ``examples``.
    ///   - handle: handles the event.
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

/// The events of a controller, each with its declaration and its handler.
///
/// ```swift
/// static let events: EventTable<DoorController> = [
///     .default("openButtonPressed", reads: ["name", .secret("code")]) { try await $0.open() },
///     .event("lockButtonPressed") { $0.lock() },
/// ]
/// ```
public struct EventTable<Controller: AnyObject>: Sendable, ExpressibleByArrayLiteral {
    /// The rows in the order of their declaration.
    public let rows: [EventRow<Controller>]

    /// Creates a table.
    ///
    /// Traps unless exactly one row is the default event and each event is declared once.
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

    /// The declarations of all events, in the order of ``rows``.
    public var declarations: [EventDeclaration] { rows.map(\.declaration) }

    /// The index of an event in ``rows``.
    ///
    /// - Throws: ``EventError/unknownEvent(_:events:)``.
    package func index(of event: Event) throws(EventError) -> Int {
        // Iterating over the elements would copy each of them.
        for index in rows.indices where rows[index].declaration.event == event { return index }
        throw .unknownEvent(event, events: rows.map(\.declaration.event))
    }
}
