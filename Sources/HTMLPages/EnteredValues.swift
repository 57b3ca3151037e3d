import BusinessLogic
import Understudy

/// What a person has entered into a form, for the same form again. It never contains a secret.
struct EnteredValues: Sendable {
    /// `nil` for the page's default event.
    let event: String?
    /// What is not a valid value of its field is a text.
    private(set) var values: Value.Object = [:]
    /// `nil` if the values are valid.
    var problem: Value?

    /// `page` is what `GET /PAGE` returns.
    init(_ submission: Submission, on page: Value, _ change: RowChange? = nil) {
        event = submission.event?.name
        let texts = FormTexts(submission.values)
        for field in page["fields"].elements {
            guard let name = field["name"]?.string else { continue }
            let schema = FormSchema(json: field["schema"] ?? .null)
            let isSecret = field["secret"] == true && !schema.hasSecrets
            var value = texts.value(name, schema, isSecret: isSecret)
            if let change, change.path.first == name {
                value = change.applied(to: value, schema, change.path.dropFirst())
            }
            // A box that is not ticked is not sent.
            if value == nil, schema.type == "boolean", field["whenAbsent"] == false { value = false }
            if let value { values[name] = value }
        }
    }

    mutating func keep(_ names: some Collection<String>) {
        for name in values.map(\.name) where !names.contains(name) { values[name] = nil }
    }
}

/// A change of the rows of a form, which is no event.
struct RowChange {
    /// Whether a row is added at the end of the list at ``path``. Otherwise, the row at ``path`` is removed.
    private let isAddition: Bool
    let path: ArraySlice<String>

    /// Returns `nil` if the texts of a form contain no change.
    init?(_ texts: Value.Object) {
        isAddition = texts.contains("_add")
        guard let path = texts[isAddition ? "_add" : "_remove"]?.string,
            !path.isLonger(than: FormTexts.maximumNameLength)
        else { return nil }
        self.path = path.utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) }[...]
    }

    func applied(to value: Value?, _ schema: FormSchema, _ path: ArraySlice<String>) -> Value? {
        let isLast = path.count == (isAddition ? 0 : 1)
        if let items = schema.items {
            var elements = value.elements
            if isLast, isAddition {
                if elements.count < schema.rows.upperBound { elements.append(.null) }
            } else if let index = path.first.flatMap({ Int($0) }), elements.indices.contains(index) {
                if !isLast {
                    elements[index] = applied(to: elements[index], items, path.dropFirst()) ?? .null
                } else if elements.count > schema.rows.lowerBound {
                    elements.remove(at: index)
                }
            }
            return .array(elements)
        }
        guard let members = schema.members else { return value }
        // The row of an object that a form can be without is the object itself.
        guard let name = path.first else { return isAddition ? .object([:]) : .null }
        var object = value.members
        if let member = members.first(where: { $0.name == name }) {
            object[name] = applied(to: object[name], member.schema, path.dropFirst())
        }
        return .object(object)
    }
}
