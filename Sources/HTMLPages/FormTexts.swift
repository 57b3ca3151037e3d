import BusinessLogic
import Understudy

struct FormTexts {
    /// Longer names are no field's.
    static let maximumNameLength = 256

    private var texts: [String: [String]] = [:]
    /// The texts by the field whose value they are, with their names.
    private let fields: [String: [(name: String, text: String)]]
    /// The names, and all their beginnings that end before a dot.
    private var paths: Set<String> = []

    init(_ values: Value.Object) {
        fields = Dictionary(grouping: values.formFields.filter { !$0.name.isLonger(than: Self.maximumNameLength) }) {
            $0.name.fieldName
        }
        for (name, value) in values where !name.isLonger(than: Self.maximumNameLength) {
            let texts = value.array?.compactMap(\.string) ?? value.string.map { [$0] } ?? []
            self.texts[name] = texts
            var path = name.utf8[...]
            while paths.insert(String(Substring(path))).inserted, let dot = path.lastIndex(of: UInt8(ascii: ".")) {
                path = path[..<dot]
            }
        }
    }

    func contains(_ field: String) -> Bool { fields[field] != nil }

    /// Also `true` if the field has no text.
    func isEqual(_ field: String, _ value: Value?) -> Bool {
        guard let own = fields[field] else { return true }
        guard let value else { return false }
        let others = ([field: value] as Value.Object).formFields
        return own.count == others.count
            && zip(own, others).allSatisfy { $0.name.hasSameBytes(as: $1.name) && $0.text.hasSameBytes(as: $1.text) }
    }

    func query(_ names: some Sequence<String>) -> String { Self.query(names.flatMap { fields[$0] ?? [] }) }

    private static func query(_ fields: [(name: String, text: String)]) -> String {
        fields.map { "\($0.name.queryEncoded)=\($0.text.queryEncoded)" }.joined(separator: "&")
    }

    func body(event: String, _ names: [String]) -> [UInt8] { Self.form(event, names.flatMap { fields[$0] ?? [] }) }

    /// The default event if `nil`.
    static func form(_ event: String?, _ fields: [(name: String, text: String)]) -> [UInt8] {
        Array(query((event.map { [("event", $0)] } ?? []) + fields).utf8)
    }

    /// `nil` if the form has no value under the name, or a secret one.
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
