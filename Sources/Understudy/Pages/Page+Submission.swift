import BusinessLogic

extension Page {
    /// The values as the page's fields take them. A form knows texts only: numbers and truth values are read from them.
    ///
    /// - Throws: ``Problem`` where a field is not the page's; ``/BusinessLogic/EventError`` where its value is of another
    ///   kind.
    func accept(_ submission: Submission, for declaration: EventDeclaration) throws -> Value.Object {
        var accepted = submission.values
        for (name, value) in submission.values {
            guard let field = field(name) else {
                throw Problem(
                    .unknownField,
                    "No event of this page reads a field '\(name.clipped)'.",
                    members: ["field": .string(name.clipped), "fields": .array(fields.map { .string($0.name) })]
                )
            }
            if field.isTooLong(value) { throw EventError.valueTooLong(field.name, maximum: field.maximumLength) }
            if field.accepts(value) { continue }
            guard submission.isForm, let text = value.string, let converted = field.kind.value(ofText: text) else {
                throw EventError.wrongFieldType(name, expected: field.kind, fields: declaration.reads.map(\.name))
            }
            accepted[name] = converted
        }
        return accepted
    }
}
