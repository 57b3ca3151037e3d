import BusinessLogic
import UnderstudyPages

/// The schemas of the page's responses, created from the commands that its events declare.
extension DescribedPage {
    /// The schemas of responses, by name.
    var responseSchemas: Value.Object {
        var schemas: Value.Object = [
            names.response: response,
            names.screen: screen,
        ]
        var rendered: Value.Object = [:]
        for output in page.outputs { rendered[output.key] = schema(of: output) }
        schemas[names.rendered] = [
            "description": .string("What the page `\(page.name)` has rendered, by key."),
            "type": "object",
            "properties": .object(rendered),
            "additionalProperties": true,
        ]
        return schemas
    }

    private var response: Value {
        var properties = DocumentTemplate.part("responseMembers")
        properties["rendered"] = .schema(names.rendered)
        properties["commands"] = [
            "description": .string(commandsDescription), "type": "array", "items": .schema("Command"),
        ]
        var schema: Value.Object = [
            "description": .string("The response to an event of the page `\(page.name)`."),
            "type": "object",
            "required": ["sequence", "ok", "commands"],
            "properties": .object(properties),
            "additionalProperties": true,
        ]
        // Generators ignore this. It lets a validator check the types of what the page renders.
        let conditions = commandConditions
        if !conditions.isEmpty {
            schema["dependentSchemas"] = [
                "commands": ["properties": ["commands": ["items": ["allOf": .array(conditions)]]]]
            ]
        }
        return .object(schema)
    }

    private var screen: Value {
        var properties = DocumentTemplate.part("screenMembers")
        properties["rendered"] = .schema(names.rendered)
        return [
            "description": .string("What the page `\(page.name)` shows now, and what it declares."),
            "type": "object",
            "required": .array(
                properties.filter { $0.name != "errors" && $0.name != "updates" }.map { .string($0.name) }
            ),
            "properties": .object(properties),
            "additionalProperties": true,
        ]
    }

    // MARK: In words

    private var commandsDescription: String {
        let lines = page.events.flatMap(\.gives).flatMap(lines).unique(by: \.self)
        guard !lines.isEmpty else { return "The commands of this event, in order. The page declares none." }
        return "The commands of this event, in order. The page declares:\n\n"
            + lines.map { "- \($0)" }.joined(separator: "\n")
    }

    /// The commands that an event gives, one in a line.
    func commandLines(of declaration: EventDeclaration) -> [String] {
        declaration.gives.flatMap(lines).unique(by: \.self)
    }

    private func lines(_ declaration: CommandDeclaration.Content) -> [String] {
        switch declaration {
        case .render(let key, let schema, let messages, let description, _):
            let texts = Self.text(messages).map { ": \($0)" } ?? ""
            let meaning = description.map { " \($0)" } ?? ""
            return ["`render` `\(key)` (\(schema)\(texts)).\(meaning)"]
        case .showAlert(let messages):
            return messages.map { "`showAlert` `\($0.code)`: “\($0.text)”\($0.isError ? "" : " (no error)")" }
        case .goToPage(let destination):
            let href = links[destination.name].map { ", `href` `\($0)`" } ?? ", a screen of the client"
            let values = destination.fields.map { "`\($0.name)`" }.joined(separator: ", ")
            return ["`goToPage` `\(destination.name)`\(href)\(values.isEmpty ? "" : ", with the values \(values)")."]
        }
    }

    private static func text(_ messages: [Message]?) -> String? {
        guard let messages else { return "a message" }
        return messages.isEmpty ? nil : messages.map { "`\($0.code)`" }.joined(separator: ", ")
    }

    // MARK: For validators

    private var commandConditions: [Value] {
        var conditions: [Value] = []
        for output in page.outputs where output.schema.jsonType != nil {
            conditions.append(
                condition(
                    ["command": "render", "key": .string(output.key)],
                    ["value": .object(output.schema.documented(.output, reference: types.reference))]
                )
            )
        }
        for destination in destinations {
            var members: Value.Object = [:]
            if let href = links[destination.name] { members["href"] = ["const": .string(href)] }
            if !destination.fields.isEmpty {
                members["values"] = ["required": .array(destination.fields.map { .string($0.name) })]
            }
            if members.isEmpty { continue }
            conditions.append(condition(["command": "goToPage", "name": .string(destination.name)], members))
        }
        return conditions
    }

    /// The declared destinations, each once.
    var destinations: [DestinationDeclaration] { page.destinations.unique(by: \.name) }

    private func condition(_ members: Value.Object, _ consequences: Value.Object) -> Value {
        var constants: Value.Object = [:]
        for (name, value) in members { constants[name] = ["const": value] }
        return [
            "if": ["required": .array(members.map { .string($0.name) }), "properties": .object(constants)],
            "then": [
                "required": .array(consequences.map { .string($0.name) }), "properties": .object(consequences),
            ],
            "else": [:],
        ]
    }

    private func schema(of output: PageOutput) -> Value {
        var schema = output.schema.documented(.output, reference: types.reference)
        if let description = output.description { schema["description"] = .string(description) }
        return .object(schema)
    }
}
