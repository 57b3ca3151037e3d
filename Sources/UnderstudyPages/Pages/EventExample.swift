package import BusinessLogic

/// An event with example values of the fields that it reads.
package struct EventExample {
    /// The event's index in the page's declarations.
    package let index: Int
    package let event: Event
    package let values: Value.Object
}

extension Page {
    /// The page's events with their examples.
    ///
    /// - Parameter wanted: the events to include; `nil` for all.
    ///
    /// - Throws: ``EventExampleError``.
    package func examples(of wanted: Set<Event>?) throws(EventExampleError) -> [EventExample] {
        var all: [EventExample] = []
        for (index, declaration) in events.enumerated() where wanted?.contains(declaration.event) ?? true {
            let examples = eventExamples[index]()
            for example in examples { try EventExampleError.check(example, of: declaration) }
            let cases = examples.isEmpty ? [declaration.exampleValues] : examples
            all += cases.map { EventExample(index: index, event: declaration.event, values: $0) }
        }
        return all
    }
}

extension EventDeclaration {
    /// An example value of each field that the event reads.
    package var exampleValues: Value.Object {
        var values: Value.Object = [:]
        for field in reads { values[field.name] = field.schema.example }
        return values
    }
}
