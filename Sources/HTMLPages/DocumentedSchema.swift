import BusinessLogic

/// The schemas of an OpenAPI document, as the template `docs` uses them.
enum DocumentedSchema {
    /// The schemas of a document.
    static func all(of document: Value) -> [Value] {
        (document["components"]?["schemas"]?.object ?? [:]).map { name, schema in
            let required = (schema["required"]?.array ?? []).compactMap(\.string)
            let members = (schema["properties"]?.object ?? [:]).map { name, member -> Value in
                [
                    "name": .string(name), "required": .boolean(required.contains(name)), "type": type(of: member),
                    "description": (member["description"]?.string ?? "").paragraphs,
                ]
            }
            return [
                "name": .string(name), "id": .string(id(of: name)),
                "description": (schema["description"]?.string ?? "").paragraphs,
                "members": .array(members), "hasMembers": .boolean(!members.isEmpty),
                "type": members.isEmpty ? type(of: schema) : [],
            ]
        }
    }

    /// What a value of a schema is, in words and links to other schemas, such as "array of Command".
    static func type(of schema: Value?) -> Value { .array(parts(of: schema)) }

    private static func parts(of schema: Value?) -> [Value] {
        guard let schema else { return [] }
        if let reference = schema["$ref"]?.string, let name = reference.split(separator: "/").last {
            let (name, target) = (String(name), id(of: String(name)))
            return [["text": .string(name), "isLink": true, "target": .string(target), "isCode": false]]
        }
        if let alternatives = schema["oneOf"]?.array ?? schema["anyOf"]?.array {
            let types = alternatives.map { parts(of: $0) }
            return Array(types.joined(separator: [words(" or ")]))
        }
        if let constant = schema["const"] { return [words("\(constant)")] }
        if let values = schema["enum"]?.array { return [words(values.map { "\($0)" }.joined(separator: " or "))] }
        if let items = schema["items"] { return [words("array of ")] + parts(of: items) }
        let kinds = schema["type"]?.array?.compactMap(\.string) ?? [schema["type"]?.string ?? "any value"]
        return [words(kinds.joined(separator: " or ") + limits(of: schema))]
    }

    private static func words(_ text: String) -> Value { ["text": .string(text), "isLink": false, "isCode": false] }

    private static func limits(of schema: Value) -> String {
        let length = schema["maxLength"]?.integer.map { ", at most \($0) characters" } ?? ""
        let pattern = schema["pattern"]?.string.map { ", as \($0)" } ?? ""
        return length + pattern
    }

    /// The ID of the schema's section. Operations have IDs without a hyphen.
    private static func id(of name: String) -> String { "schema-" + name }
}
