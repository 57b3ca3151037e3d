/// An event's declaration and its handler.
public struct EventRow<Controller: Eventable>: Sendable {
    @usableFromInline
    package let declaration: EventDeclaration
    /// Reads the event's fields from the controller's screen, and handles the event. Call it with ``declaration``.
    // If it captured the declaration, an event would take 300 instructions more: without captures, it contains the code of the handler.
    @usableFromInline
    package let handle: @Sendable (Controller, EventDeclaration) async throws -> Void
    /// Returns example values of the fields that the event reads, one object for each case: valid and invalid ones.
    /// `understudy compare` and `check` send them.
    @usableFromInline
    package let examples: @Sendable () -> [Value.Object]
    /// When the event is due, if it is an update; `nil` if clients send it.
    let trigger: UpdateTrigger?

    /// Declares an event that a request must name.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - fields: the fields that the controller reads.
    ///   - commands: the commands that the controller may give.
    ///   - examples: example values of these fields, one object for each case: valid and invalid ones. `compare` and `check` send them.
    ///   - handle: handles the event. It receives the controller and the values of the fields.
    @inlinable
    public static func event<each Content: ScreenValue>(
        _ event: Event,
        reads fields: repeat Field<each Content>,
        gives commands: [CommandDeclaration] = [],
        examples: @autoclosure @escaping @Sendable () -> [Value.Object] = [],
        handle: @escaping @Sendable (Controller, repeat each Content) async throws -> Void
    ) -> EventRow {
        var declarations: [FieldDeclaration] = []
        repeat declarations.append((each fields).declaration)
        let declaration = EventDeclaration(event, reads: declarations, gives: commands)
        return EventRow(declaration, examples: examples) { controller, declaration in
            var fields = FieldReader(declaration, controller)
            try await handle(controller, repeat fields.next((each Content).self))
        }
    }

    /// Declares the default event, which a request means if it names none.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - fields: the fields that the controller reads.
    ///   - commands: the commands that the controller may give.
    ///   - examples: example values of these fields, one object for each case: valid and invalid ones. `compare` and `check` send them.
    ///   - handle: handles the event. It receives the controller and the values of the fields.
    @inlinable
    public static func `default`<each Content: ScreenValue>(
        _ event: Event,
        reads fields: repeat Field<each Content>,
        gives commands: [CommandDeclaration] = [],
        examples: @autoclosure @escaping @Sendable () -> [Value.Object] = [],
        handle: @escaping @Sendable (Controller, repeat each Content) async throws -> Void
    ) -> EventRow {
        Self.event(event, reads: repeat each fields, gives: commands, examples: examples(), handle: handle).asDefault
    }

    /// The row of a safe event: it changes nothing outside of its session, as a safe method of HTTP (RFC 9110, section 9.2.1).
    ///
    /// ```swift
    /// .event("viewDidLoad", gives: [.renders(saveButtonEnabled), .renders(savedEmail)]) {
    ///     try await $0.viewDidLoad()
    /// }.safe(),
    /// ```
    ///
    /// The HTML pages may run such an event without a person who asks for it: one that loads the page after a link with values, and one that
    /// reads a field of a form which the form's event does not read. Do not declare an event as safe that logs a user in or out, sends
    /// anything, or stores something in a database.
    public func safe() -> EventRow { declared(isDefault: declaration.isDefault, isSafe: true) }

    @usableFromInline
    var asDefault: EventRow { declared(isDefault: true, isSafe: declaration.isSafe) }

    private func declared(isDefault: Bool, isSafe: Bool) -> EventRow {
        let declaration = EventDeclaration(
            declaration.event,
            reads: declaration.reads,
            gives: declaration.gives,
            isDefault: isDefault,
            isSafe: isSafe
        )
        return EventRow(declaration, examples: examples, trigger: trigger, handle: handle)
    }

    @usableFromInline
    init(
        _ declaration: EventDeclaration,
        examples: @escaping @Sendable () -> [Value.Object],
        trigger: UpdateTrigger? = nil,
        handle: @escaping @Sendable (Controller, EventDeclaration) async throws -> Void
    ) {
        self.declaration = declaration
        self.examples = examples
        self.handle = handle
        self.trigger = trigger
    }
}

/// Reads the fields of an event from the controller's screen, in the order of their declaration. Their lengths have been checked.
@usableFromInline
struct FieldReader {
    @usableFromInline
    let declaration: EventDeclaration
    @usableFromInline
    let screen: (any Controllable)?
    @usableFromInline
    var index = 0

    @inlinable
    init(_ declaration: EventDeclaration, _ controller: some Eventable) {
        self.declaration = declaration
        screen = controller.controllable
    }

    @inlinable
    mutating func next<Content: ScreenValue>(_ type: Content.Type) throws(EventError) -> Content {
        let position = index
        index += 1
        let value = try declaration.value(at: position, on: screen)
        guard let content = Content(screenValue: value) else { throw declaration.wrongType(at: position) }
        return content
    }
}

/// The events of a controller, each with its declaration and its handler.
///
/// ```swift
/// static let events: EventTable<DoorController> = [
///     .default("openButtonPressed", reads: name, code, gives: [.renders(isOpen), .alerts(.wrongCode)]) {
///         try await $0.open(name: $1, code: $2)
///     },
///     .event("lockButtonPressed", gives: [.renders(isOpen)]) { $0.lock() },
/// ]
/// ```
public struct EventTable<Controller: Eventable>: Sendable, ExpressibleByArrayLiteral {
    /// The events that clients send, and then the updates, each in the order of their declaration.
    @usableFromInline
    package let rows: [EventRow<Controller>]

    /// The declarations of the events that clients send. Their indices are those of ``rows``.
    package let declarations: [EventDeclaration]

    let triggers: [UpdateTrigger]

    let hasTimers: Bool

    /// The declarations of the updates, in the order of ``rows``.
    package var updates: [EventDeclaration] { rows.dropFirst(declarations.count).map(\.declaration) }

    /// Creates a table.
    ///
    /// Traps unless exactly one row is the default event and each event is declared once.
    public init(arrayLiteral rows: EventRow<Controller>...) {
        requireDeclaration(
            rows.count { $0.declaration.isDefault } == 1,
            "\(Controller.self) declares \(rows.count { $0.declaration.isDefault }) default events instead of one"
        )
        requireDeclaration(
            Set(rows.map(\.declaration.event)).count == rows.count,
            "\(Controller.self) declares an event twice"
        )
        for event in rows.map(\.declaration) {
            requireDeclaration(
                Set(event.reads.map(\.name)).count == event.reads.count,
                "the event '\(event.event)' of \(Controller.self) reads a field twice"
            )
        }
        let events = rows.filter { $0.trigger == nil }
        self.rows = events + rows.filter { $0.trigger != nil }
        declarations = events.map(\.declaration)
        triggers = rows.compactMap(\.trigger)
        hasTimers = triggers.contains { if case .time = $0 { true } else { false } }
    }

    package func index(of event: Event) throws(EventError) -> Int { try declarations.index(of: event) }
}

extension [EventDeclaration] {
    package func index(of event: Event) throws(EventError) -> Int {
        if let index = firstIndex(where: { $0.event == event }) { return index }
        throw .unknownEvent(event, events: map(\.event))
    }
}
