import BusinessLogic
import CResources
import UnderstudyPages

/// The OpenAPI document of a service without pages: `document.yaml`.
enum DocumentTemplate {
    private static let parts: Value.Object = {
        let file = CResources_find("Understudy/OpenAPI/document.yaml")
        let text = Array(UnsafeBufferPointer(start: file.bytes, count: Int(file.size)))
        guard let parts = try? YAMLNode.read(text) else { preconditionFailure("document.yaml is malformed") }
        return Value(parts).object ?? [:]
    }()

    /// A part of the document, with empty values where it depends on the service.
    static func part(_ name: String) -> Value.Object { parts[name]?.object ?? [:] }

    static var introduction: String { parts["introduction"]?.string ?? "" }

    static var tags: Value { parts["tags"] ?? [] }

    /// The names of all schemas and operations that do not belong to a page.
    static var names: [String] {
        let operations = part("paths").flatMap { $0.value.object ?? [:] }
        return part("schemas").map(\.name) + operations.compactMap { $0.value["operationId"]?.string }
    }

    /// Adds the errors of all requests. If the operations are limited, requests count for the limit of an address.
    static func completed(_ operations: Value, isLimited: Bool) -> Value {
        var completed = operations
        for (method, operation) in operations.object ?? [:] {
            let errors = part("onArrival").filter { isLimited || $0.name != "429" }
            let all = Array(operation["responses"]?.object ?? [:]) + errors
            let responses = all.sorted { $0.name < $1.name }.map { ($0.name, $0.value) }
            completed[method]?["responses"] = .object(Value.Object(responses))
        }
        return completed
    }

    // MARK: What depends on the rules

    static func paths(_ rules: [ValidationRule]) -> Value.Object {
        var paths = part("paths")
        func setExample(_ path: String, _ method: String, _ example: Value?) {
            paths[path]?[method]?["responses"]?["200"]?["content"]?["application/json"]?["example"] = example
        }
        let results = rules.compactMap { rule in rule.example.map { rule.result(of: $0) } }
        setExample("/validate", "post", ["results": .array(results)])
        setExample("/validate", "get", ["rules": .array(rules.map(\.value))])
        setExample("/validate/{rule}", "post", results.first)
        if var parameter = paths["/validate/{rule}"]?["post"]?["parameters"]?.array?.first {
            parameter["schema"] = ruleName(rules)
            paths["/validate/{rule}"]?["post"]?["parameters"] = [parameter]
        }
        return paths
    }

    static func schemas(_ rules: [ValidationRule]) -> Value.Object {
        var schemas = part("schemas")
        schemas["PageField"]?["properties"]?["kind"]?["examples"] = fieldKinds
        let examples = rules.filter { $0.example != nil }
        schemas["ValidationRequest"]?["examples"] = [
            ["checks": .array(examples.map { ["rule": .string($0.name), "value": .string($0.example ?? "")] })]
        ]
        schemas["Check"]?["properties"]?["rule"]?["enum"] = ruleName(rules)["enum"]
        let limits: [Value] = rules.map { rule in
            [
                "if": ["required": ["rule"], "properties": ["rule": ["const": .string(rule.name)]]],
                "then": ["properties": ["value": ["maxLength": Value(rule.maximumLength)]]],
            ]
        }
        schemas["Check"]?["allOf"] = limits.isEmpty ? nil : .array(limits)
        schemas["Problem"]?["properties"]?["code"]?["description"] = .string(Problem.codesDescription)
        schemas["Problem"]?["properties"]?["expected"]?["examples"] = fieldKinds
        return schemas
    }

    private static let fieldKinds: Value = .array(JSONType.allCases.map { .string($0.rawValue) })

    private static func ruleName(_ rules: [ValidationRule]) -> Value {
        var schema: Value = ["type": "string"]
        if !rules.isEmpty { schema["enum"] = .array(rules.map { .string($0.name) }) }
        return schema
    }
}

extension Value {
    static func reference(_ kind: StaticString, _ name: String) -> Value { ["$ref": "#/components/\(kind)/\(name)"] }

    static func schema(_ name: String) -> Value { reference("schemas", name) }

    /// If the object is open, later versions may add members.
    static func objectSchema(
        _ description: String,
        _ properties: Value.Object,
        required: [String] = [],
        isOpen: Bool
    ) -> Value {
        var schema: Value.Object = ["description": .string(description), "type": "object"]
        if !required.isEmpty { schema["required"] = .array(required.map(Value.string)) }
        schema["properties"] = .object(properties)
        schema["additionalProperties"] = .boolean(isOpen)
        return .object(schema)
    }
}
