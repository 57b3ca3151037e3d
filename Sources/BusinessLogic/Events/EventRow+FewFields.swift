/// The declarations of events that read one or two fields. They only exist for the optimiser: the controller's module specialises them
/// for the types of the fields, and a parameter pack needs the types' metadata for each event.
extension EventRow {
    /// Declares an event that a request must name.
    @inlinable
    public static func event<First: ScreenValue>(
        _ event: Event,
        reads first: Field<First>,
        gives commands: [CommandDeclaration] = [],
        examples: @autoclosure @escaping @Sendable () -> [Value.Object] = [],
        handle: @escaping @Sendable (Controller, First) async throws -> Void
    ) -> EventRow {
        let declaration = EventDeclaration(event, reads: [first.declaration], gives: commands)
        return EventRow(declaration, examples: examples) { controller, declaration in
            var fields = FieldReader(declaration, controller)
            try await handle(controller, fields.next(First.self))
        }
    }

    /// Declares an event that a request must name.
    @inlinable
    public static func event<First: ScreenValue, Second: ScreenValue>(
        _ event: Event,
        reads first: Field<First>,
        _ second: Field<Second>,
        gives commands: [CommandDeclaration] = [],
        examples: @autoclosure @escaping @Sendable () -> [Value.Object] = [],
        handle: @escaping @Sendable (Controller, First, Second) async throws -> Void
    ) -> EventRow {
        let declaration = EventDeclaration(event, reads: [first.declaration, second.declaration], gives: commands)
        return EventRow(declaration, examples: examples) { controller, declaration in
            var fields = FieldReader(declaration, controller)
            try await handle(controller, fields.next(First.self), fields.next(Second.self))
        }
    }

    /// Declares the default event, which a request means if it names none.
    @inlinable
    public static func `default`<First: ScreenValue>(
        _ event: Event,
        reads first: Field<First>,
        gives commands: [CommandDeclaration] = [],
        examples: @autoclosure @escaping @Sendable () -> [Value.Object] = [],
        handle: @escaping @Sendable (Controller, First) async throws -> Void
    ) -> EventRow {
        Self.event(event, reads: first, gives: commands, examples: examples(), handle: handle).asDefault
    }

    /// Declares the default event, which a request means if it names none.
    @inlinable
    public static func `default`<First: ScreenValue, Second: ScreenValue>(
        _ event: Event,
        reads first: Field<First>,
        _ second: Field<Second>,
        gives commands: [CommandDeclaration] = [],
        examples: @autoclosure @escaping @Sendable () -> [Value.Object] = [],
        handle: @escaping @Sendable (Controller, First, Second) async throws -> Void
    ) -> EventRow {
        Self.event(event, reads: first, second, gives: commands, examples: examples(), handle: handle).asDefault
    }
}
