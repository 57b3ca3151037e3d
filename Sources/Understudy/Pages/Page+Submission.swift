import BusinessLogic

extension Page {
    /// The values, converted to the types of the page's fields. A form contains only texts, which are converted.
    ///
    /// - Throws: ``Problem`` if the page has no such field; ``/BusinessLogic/EventError`` if a value is of another type or too
    ///   long.
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
