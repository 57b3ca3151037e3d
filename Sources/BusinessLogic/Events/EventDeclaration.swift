/// A class, because each event passes it on, and copying its arrays would take time.
@usableFromInline
package final class EventDeclaration: Sendable {
    package let event: Event
    /// Whether this is the default event, which a request means if it names none.
    package let isDefault: Bool
    package let reads: [FieldDeclaration]
    package let gives: [CommandDeclaration.Content]
    /// Whether the event changes nothing outside of its session; see ``EventRow/safe()``.
    package let isSafe: Bool

    /// What the event may render, to check most commands without copying their declarations.
    private let renderedKeys: [String]
    private let renderedMessages: [[Message]?]

    @usableFromInline
    convenience init(_ event: Event, reads: [FieldDeclaration], gives: [CommandDeclaration]) {
        self.init(event, reads: reads, gives: gives.map(\.content), isDefault: false, isSafe: false)
    }

    init(
        _ event: Event,
        reads: [FieldDeclaration],
        gives: [CommandDeclaration.Content],
        isDefault: Bool,
        isSafe: Bool
    ) {
        self.event = event
        self.isDefault = isDefault
        self.reads = reads
        self.gives = gives
        self.isSafe = isSafe
        let renders = self.gives.compactMap { content -> (key: String, messages: [Message]?)? in
            if case .render(let key, _, let messages, _, _) = content { (key, messages) } else { nil }
        }
        renderedKeys = renders.map(\.key)
        renderedMessages = renders.map(\.messages)
    }

    package func reads(_ name: String) -> Bool { reads.contains { $0.name.hasSameBytes(as: name) } }

    package func allows(_ command: Command, checksValues: Bool) -> Bool {
        if !checksValues, case .render(let key, _, let message) = command {
            for index in renderedKeys.indices where renderedKeys[index].hasSameBytes(as: key) {
                guard let message, let messages = renderedMessages[index] else { return true }
                if messages.containCode(of: message) { return true }
            }
            return false
        }
        return gives.contains { $0.allows(command, checksValues: checksValues) }
    }

    /// The value of a field on a screen, or else its value when absent.
    @usableFromInline
    func value(at index: Int, on screen: (any Controllable)?) throws(EventError) -> Value {
        if let value = screen?.getValue(reads[index].name) { return value }
        if let value = reads[index].whenAbsent { return value }
        throw .missingField(reads[index].name, fields: reads.map(\.name))
    }

    @usableFromInline
    func wrongType(at index: Int) -> EventError {
        .wrongFieldType(reads[index].name, expected: reads[index].schema.expected, fields: reads.map(\.name))
    }

    /// Checks that every field that the event reads has a valid value, in the event or on the screen, or may be absent.
    ///
    /// - Parameter rejected: what is wrong with values that are not among `values`.
    package func requireFields(
        in values: Value.Object,
        or screen: (any Controllable)?,
        rejected: FieldFaults = FieldFaults()
    ) throws(EventError) {
        var faults = rejected
        for index in reads.indices {
            guard let value = values[reads[index].name] ?? screen?.getValue(reads[index].name) else {
                if reads[index].whenAbsent == nil, !faults.concern(reads[index].name) {
                    faults.add(reads[index].name, .missing)
                }
                continue
            }
            if !reads[index].acceptsPlainText(value) { reads[index].check(value, &faults) }
        }
        if !faults.isEmpty { throw .invalidFields(faults.all, fields: reads.map(\.name)) }
    }
}

extension EventDeclaration: Equatable {
    @usableFromInline
    package static func == (left: EventDeclaration, right: EventDeclaration) -> Bool {
        left === right
            || left.event == right.event && left.isDefault == right.isDefault && left.reads == right.reads
                && left.gives == right.gives && left.isSafe == right.isSafe
    }
}
