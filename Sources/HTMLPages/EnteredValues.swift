import BusinessLogic
import Understudy

/// What a person has entered into a form, for the same form again. It never contains a secret.
struct EnteredValues: Sendable {
    /// The event of the form; `nil` for the page's default event.
    let event: String?
    /// The values of the fields. What is not a valid value of its field is a text.
    private(set) var values: Value.Object = [:]

    /// - Parameters:
    ///   - submission: the form's texts.
    ///   - page: what `GET /PAGE` returns.
    ///   - change: the row that is added or removed.
    init(_ submission: Submission, on page: Value, _ change: RowChange? = nil) {
        event = submission.event?.name
        let texts = FormTexts(submission.values)
        for field in page["fields"]?.array ?? [] {
            guard let name = field["name"]?.string else { continue }
            let schema = FormSchema(field["schema"] ?? .null)
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

    /// Removes the values of all other fields.
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

    /// The value with the change at the rest of the path.
    func applied(to value: Value?, _ schema: FormSchema, _ path: ArraySlice<String>) -> Value? {
        let isLast = path.count == (isAddition ? 0 : 1)
        if let items = schema.items {
            var elements = value?.array ?? []
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
        var object = value?.object ?? [:]
        if let member = members.first(where: { $0.name == name }) {
            object[name] = applied(to: object[name], member.schema, path.dropFirst())
        }
        return .object(object)
    }
}

/// The texts of a form by name.
private struct FormTexts {
    /// Longer names are no field's.
    static let maximumNameLength = 256

    private var texts: [String: [String]] = [:]
    /// The names, and all their beginnings that end before a dot.
    private var paths: Set<String> = []

    init(_ values: Value.Object) {
        for (name, value) in values where !name.isLonger(than: FormTexts.maximumNameLength) {
            texts[name] = value.array?.compactMap(\.string) ?? value.string.map { [$0] } ?? []
            var path = name.utf8[...]
            while paths.insert(String(Substring(path))).inserted, let dot = path.lastIndex(of: UInt8(ascii: ".")) {
                path = path[..<dot]
            }
        }
    }

    /// The value that a form has under a name; `nil` if it has none, or a secret one.
    func value(_ name: String, _ schema: FormSchema, isSecret: Bool) -> Value? {
        if isSecret || !paths.contains(name) { return nil }
        if let items = schema.items {
            var rows: [Value] = []
            let maximum = schema.rows.upperBound
            if items.isScalar, let texts = texts[name], texts != [""] {
                rows = texts.prefix(maximum).map { .string($0.shortened) }
            }
            while rows.count < maximum, paths.contains("\(name).\(rows.count)") {
                rows.append(value("\(name).\(rows.count)", items, isSecret: isSecret) ?? .null)
            }
            return .array(rows)
        }
        if let members = schema.members {
            var object: Value.Object = [:]
            for (member, schema) in members {
                object[member] = value("\(name).\(member)", schema, isSecret: schema.isSecret)
            }
            // The hidden input of an object that the form is without.
            return object.isEmpty && texts[name] != nil ? .null : .object(object)
        }
        let text = (texts[name]?.first ?? "").shortened
        let isBox = schema.type == "boolean" && schema["default"] == false
        return isBox ? .boolean(text == "on" || text == "true") : .string(text)
    }
}

extension String {
    /// The first code points, at most as many as a text usually has.
    fileprivate var shortened: String {
        let maximum = ValueSchema.usualMaximumLength
        return isLonger(than: maximum) ? String(String.UnicodeScalarView(unicodeScalars.prefix(maximum))) : self
    }
}
