package import BusinessLogic
package import UnderstudyPages
import Yams

/// The parts of the document that are the same for every service: `components.yaml`.
package enum WireSchema {
    private static let parts: Value.Object = {
        guard let parts = try? Yams.compose(yaml: String(decoding: PackageResources.components_yaml, as: UTF8.self))
        else {
            preconditionFailure("components.yaml is malformed")
        }
        return Value(parts).object ?? [:]
    }()

    /// The names of all schemas that do not belong to a page.
    static let names = part("schemas").map(\.name)

    /// The members of the response to an event.
    static let responseMembers = part("responseMembers")

    /// The members of what `GET /PAGE` returns.
    static let screenMembers = part("screenMembers")

    /// A part of the document, with empty values where it depends on the service.
    static func part(_ name: String) -> Value.Object { parts[name]?.object ?? [:] }

    /// The schemas that do not belong to a page, by name.
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

    private static let fieldKinds: Value = .array(FieldKind.allCases.map { .string($0.rawValue) })

    /// The schema of a rule's name: one of those that the service has.
    package static func ruleName(_ rules: [ValidationRule]) -> Value {
        var schema: Value = ["type": "string"]
        if !rules.isEmpty { schema["enum"] = .array(rules.map { .string($0.name) }) }
        return schema
    }
}
