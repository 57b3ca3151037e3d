package import BusinessLogic

extension Page {
    /// The values, converted to the types of the page's fields. A form contains only texts, which are converted, and leaves out
    /// the boxes that are not ticked.
    ///
    /// - Throws: ``Problem`` if the page has no such field; ``/BusinessLogic/EventError`` if a value is of another type or too
    ///   long.
    package func accept(_ submission: Submission, for declaration: EventDeclaration) throws -> Value.Object {
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
            if submission.isForm, value == "", let empty = (declaration.field(name) ?? field).emptyValue {
                accepted[name] = empty
                continue
            }
            guard submission.isForm, let text = value.string, let converted = field.kind.value(ofText: text),
                field.accepts(converted)
            else {
                throw wrongType(of: value, for: field, in: submission, of: declaration)
            }
            accepted[name] = converted
        }
        if submission.isForm { fillUntickedBoxes(in: &accepted, for: declaration) }
        return accepted
    }

    /// A browser does not send a check box that is not ticked. Without this, a box that an earlier event ticked would stay ticked.
    func fillUntickedBoxes(in values: inout Value.Object, for declaration: EventDeclaration) {
        for field in declaration.reads where field.whenAbsent == false && !values.contains(field.name) {
            values[field.name] = false
        }
    }

    private func wrongType(
        of value: Value,
        for field: FieldDeclaration,
        in submission: Submission,
        of declaration: EventDeclaration
    ) -> any Error {
        let error = EventError.wrongFieldType(
            field.name,
            expected: field.expected,
            fields: declaration.reads.map(\.name)
        )
        guard submission.isForm, value.string?.utf8.first == UInt8(ascii: " "), var problem = Problem(error) else {
            return error
        }
        problem.detail?.append(" The value begins with a space: in a form, + means a space. Send + as %2B.")
        return problem
    }
}

extension FieldDeclaration {
    /// What an empty input of a form means, which browsers send for an empty input of a number or a date; `nil` if it is not valid.
    fileprivate var emptyValue: Value? {
        isOptional ? .some(.null) : whenAbsent
    }
}

extension EventDeclaration {
    fileprivate func field(_ name: String) -> FieldDeclaration? {
        reads.first { $0.name.hasSameBytes(as: name) }
    }
}
