public import BusinessLogic

/// An example in an event's declaration does not match the fields that the event reads.
public struct EventExampleError: Error, CustomStringConvertible, Sendable {
    /// The event.
    public let event: Event
    /// The error in one line, with the first example that does not match.
    public let description: String
}

extension Page {
    /// `nil` for the examples of all events.
    package func examples(of wanted: Set<Event>?) throws(EventExampleError) -> [(event: Event, values: Value.Object)] {
        var all: [(event: Event, values: Value.Object)] = []
        for (index, declaration) in events.enumerated() where wanted?.contains(declaration.event) ?? true {
            let examples = eventExamples[index]()
            for example in examples { try declaration.check(example) }
            let cases = examples.isEmpty ? [declaration.exampleValues] : examples
            all += cases.map { (declaration.event, $0) }
        }
        return all
    }
}

extension EventDeclaration {
    package var exampleValues: Value.Object { Value.Object(reads.map { ($0.name, $0.schema.example) }) }

    /// The example must contain exactly the fields that the event reads. An optional field may be null, but not missing.
    fileprivate func check(_ example: Value.Object) throws(EventExampleError) {
        let fields = reads.map(\.name)
        let known = fields.isEmpty ? "it reads no fields" : "it reads: " + fields.joined(separator: ", ")
        func error(_ fault: String) -> EventExampleError {
            let example = "the example \(Value.object(example)) of the event '\(event.name)'"
            return EventExampleError(event: event, description: "\(example) \(fault)")
        }
        for (name, _) in example where !fields.contains(name) {
            throw error("has a field '\(name)', which the event does not read; \(known)")
        }
        for field in reads {
            guard let value = example[field.name] else {
                if field.whenAbsent != nil { continue }
                throw error("lacks the field '\(field.name)', which the event reads; \(known)")
            }
            var faults = FieldFaults()
            field.check(value, &faults)
            if let fault = faults.all.first { throw error("is invalid: \(fault.explanation)") }
        }
    }
}
