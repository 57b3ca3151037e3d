public import BusinessLogic

/// An example in an event's declaration does not match the fields that the event reads.
public struct EventExampleError: Error, CustomStringConvertible, Sendable {
    /// The event.
    public let event: Event
    /// The error in one line, with the first example that does not match.
    public let description: String

    /// Checks that the example contains exactly the fields that the event reads. An optional field may be null, but not missing.
    static func check(_ example: Value.Object, of declaration: EventDeclaration) throws(EventExampleError) {
        let fields = declaration.reads.map(\.name)
        let reads = fields.isEmpty ? "it reads no fields" : "it reads: " + fields.joined(separator: ", ")
        func error(_ fault: String) -> EventExampleError {
            let event = declaration.event
            return EventExampleError(
                event: event,
                description: "the example \(Value.object(example)) of the event '\(event.name)' \(fault)"
            )
        }
        for (name, _) in example where !fields.contains(name) {
            throw error("has a field '\(name)', which the event does not read; \(reads)")
        }
        for field in declaration.reads {
            guard let value = example[field.name] else {
                if field.whenAbsent != nil { continue }
                throw error("lacks the field '\(field.name)', which the event reads; \(reads)")
            }
            var faults = FieldFaults()
            field.check(value, &faults)
            if let fault = faults.all.first { throw error("is invalid: \(fault.explanation)") }
        }
    }
}
