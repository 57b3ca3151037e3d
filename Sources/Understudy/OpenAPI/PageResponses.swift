import BusinessLogic
import UnderstudyPages

/// The schemas of the page's responses, created from the commands that its events declare.
extension DescribedPage {
    var responseSchemas: Value.Object {
        let rendered = Value.Object(page.outputs.map { ($0.key, schema(of: $0)) })
        var response = DocumentTemplate.part("responseMembers")
        response["rendered"] = .schema(names.rendered)
        response["commands"] = [
            "description": .string(commandsDescription), "type": "array", "items": .schema("Command"),
        ]
        var screen = DocumentTemplate.part("screenMembers")
        screen["rendered"] = .schema(names.rendered)
        return [
            names.response: .objectSchema(
                "The response to an event of the page `\(page.name)`.",
                response,
                required: ["sequence", "ok", "commands"],
                isOpen: true
            ),
            names.screen: .objectSchema(
                "What the page `\(page.name)` shows now, and what it declares.",
                screen,
                required: screen.map(\.name).filter { $0 != "errors" && $0 != "updates" },
                isOpen: true
            ),
            names.rendered: .objectSchema("What the page `\(page.name)` has rendered, by key.", rendered, isOpen: true),
        ]
    }

    // MARK: In words

    private var commandsDescription: String {
        let lines = page.events.flatMap(\.gives).flatMap(lines).unique(by: \.self)
        guard !lines.isEmpty else { return "The commands of this event, in order. The page declares none." }
        return "The commands of this event, in order. The page declares:\n\n"
            + lines.map { "- \($0)" }.joined(separator: "\n")
    }

    func lines(_ declaration: CommandDeclaration.Content) -> [String] {
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

    private func schema(of output: PageOutput) -> Value {
        var schema = output.schema.jsonSchema(.output, reference: types.reference)
        if let description = output.description { schema["description"] = .string(description) }
        return .object(schema)
    }
}
