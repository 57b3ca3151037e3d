package import BusinessLogic

extension Page {
    /// The valid values, and what is wrong with the others. A form contains only texts, which are converted, and leaves out the boxes that are not
    /// ticked.
    ///
    /// - Throws: ``Problem`` if the values do not have the shape of the fields, or are too many.
    package func accept(
        _ submission: Submission,
        for declaration: EventDeclaration
    ) throws(Problem) -> (values: Value.Object, faults: FieldFaults) {
        let values = try values(of: submission, for: declaration)
        var accepted = values
        var faults = FieldFaults(below: submission.pointer)
        var nodes = Value.maximumNodes
        for (name, value) in values {
            if value.exceedsLimits(nodes: &nodes) {
                throw Problem.malformedBody(
                    "The values may have at most \(Value.maximumLevels) levels, and be at most \(Value.maximumNodes) with all "
                        + "members and elements.",
                    at: "\(submission.pointer)/\(name.clipped.pointerToken)"
                )
            }
            guard let field = field(name) else {
                faults.add(name.clipped, .unknown(fields.map(\.name)))
                accepted[name] = nil
                continue
            }
            if field.schema.isScalar, value.array != nil || value.object != nil {
                throw Problem.malformedBody(
                    submission.isForm
                        ? "The field '\(name)' occurs twice."
                        : "The value of this field is a string, a number, a boolean or null.",
                    at: "\(submission.pointer)/\(name.pointerToken)"
                )
            }
            let count = faults.all.count
            field.check(value, &faults)
            if faults.all.count > count || faults.isFull {
                accepted[name] = nil
                if submission.isForm, value.string?.utf8.first == UInt8(ascii: " ") { faults.adviseOnPlus() }
            }
        }
        if submission.isForm { fillUntickedBoxes(in: &accepted, for: declaration) }
        return (accepted, faults)
    }

    /// The values before they are checked: those of JSON as sent, those of a form with the types of the page's fields if they have such a form.
    package func values(of submission: Submission, for declaration: EventDeclaration) throws(Problem) -> Value.Object {
        guard submission.isForm else { return submission.values }
        return try FormValues(page: self).values(of: submission.values, for: declaration)
    }

    /// A browser does not send a check box that is not ticked. Without this, a box that an earlier event ticked would stay ticked.
    func fillUntickedBoxes(in values: inout Value.Object, for declaration: EventDeclaration) {
        for field in declaration.reads where field.whenAbsent == false && !values.contains(field.name) {
            values[field.name] = false
        }
    }
}

extension FieldFaults {
    fileprivate mutating func adviseOnPlus() {
        advise("The value begins with a space: in a form, + means a space. Send + as %2B.")
    }
}
