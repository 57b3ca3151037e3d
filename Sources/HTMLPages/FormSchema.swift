import BusinessLogic

/// The JSON Schema of a field, a member, an element or an output, as `GET /PAGE` returns it.
struct FormSchema {
    let json: Value

    subscript(keyword: String) -> Value? { json[keyword] }

    private var types: [String] { json["type"]?.array?.compactMap(\.string) ?? json["type"]?.string.map { [$0] } ?? [] }
    /// The JSON type of a value other than null; `nil` for any.
    var type: String? { types.first { $0 != "null" } }
    var format: String? { json["format"]?.string }
    var isOptional: Bool { types.contains("null") }
    var hasDefault: Bool { json["default"] != nil }
    var isSecret: Bool { json["writeOnly"] == true }

    /// `nil` for another value.
    var choices: [String]? { json["enum"]?.array?.compactMap(\.string) }
    /// `nil` for another value.
    var items: FormSchema? { type == "array" ? json["items"].map(FormSchema.init) : nil }
    /// `nil` for another value.
    var members: [(name: String, schema: FormSchema)]? {
        guard type == "object" else { return nil }
        return json["properties"]?.object?.map { ($0.name, FormSchema(json: $0.value)) } ?? []
    }

    var isScalar: Bool { items == nil && members == nil }
    var hasSecrets: Bool {
        items?.hasSecrets ?? members?.contains { $0.schema.isSecret || $0.schema.hasSecrets } ?? false
    }

    /// The numbers of elements that a form has inputs for, whatever the list allows.
    private static let maximumRows = 100
    var rows: ClosedRange<Int> {
        if members != nil { return 0...1 }
        let maximum = min(max(json["maxItems"]?.integer ?? Self.maximumRows, 0), Self.maximumRows)
        return min(max(json["minItems"]?.integer ?? 0, 0), maximum)...maximum
    }
}
