import BusinessLogic
import UnderstudyPages

struct ShownOutputs: Sendable {
    let page: String
    let values: Value
    private let declared: [Value]
    private let language: Labels.Language

    /// `content` is what `GET /PAGE` returns.
    init(page: String, _ content: Value, _ language: Labels.Language) {
        self.page = page
        values = content["rendered"] ?? [:]
        declared = content["outputs"].elements
        self.language = language
    }

    /// A value as a person reads it, by its declared type: choices by their labels, amounts with two digits, days and times as the language writes
    /// them. `understudy.js` writes the same, but times as they are where the person is.
    ///
    /// - Parameter path: the key of the output, and the names of members.
    func text(of value: Value, at path: [String]) -> String {
        let output = declared.first { $0["key"]?.string == path.first }
        let schema = path.dropFirst().reduce(FormSchema(json: output?["schema"] ?? .null)) { $0.member($1) }
        return text(value, schema, path)
    }

    private func text(_ value: Value, _ schema: FormSchema, _ path: [String]) -> String {
        switch value {
        case .null: return ""
        case .array(let elements):
            let isOfObjects = elements.contains { $0.object != nil }
            return elements.map { text($0, schema.element, path) }.joined(separator: isOfObjects ? "; " : ", ")
        case .object(let members):
            return members.map { text($0.value, schema.member($0.name), path + [$0.name]) }.filter { !$0.isEmpty }
                .joined(separator: ", ")
        case .string, .number, .boolean:
            let plain = value == false ? "" : value.formText ?? ""
            if schema.choices != nil || schema.type == "boolean" {
                let label = language[.choice(value.formText ?? "", of: path)]
                return label == "false" ? plain : label
            }
            let isFormatted = ["decimal", "date", "date-time"].contains(schema.format)
            return isFormatted ? language.format.text(of: value, fractionDigits: 2) ?? plain : plain
        }
    }

    /// The labels of choices that differ from their values, by the path of the output or the member, as JSON for `understudy.js`; `nil` if there
    /// are none.
    var choices: String? {
        var all: Value.Object = [:]
        func add(_ schema: FormSchema, _ path: [String]) {
            let schema = schema.element
            for member in schema.members ?? [] { add(member.schema, path + [member.name]) }
            let choices = schema.choices ?? (schema.type == "boolean" ? ["true", "false"] : [])
            let labels = choices.map { ($0, language[.choice($0, of: path)]) }.filter { !$0.hasSameBytes(as: $1) }
            let texts = labels.reduce(into: [:] as Value.Object) { $0[$1.0] = .string($1.1) }
            if !texts.isEmpty { all[path.joined(separator: ".")] = .object(texts) }
        }
        for output in declared {
            if let key = output["key"]?.string { add(FormSchema(json: output["schema"] ?? .null), [key]) }
        }
        return all.isEmpty ? nil : "\(Value.object(all))"
    }
}

extension FormSchema {
    /// The schema of the elements of a list, and of those of its elements; this one of another value.
    fileprivate var element: FormSchema { items?.element ?? self }

    fileprivate func member(_ name: String) -> FormSchema { FormSchema(json: element["properties"]?[name] ?? .null) }
}
