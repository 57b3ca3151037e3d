import BusinessLogic
import UnderstudyPages

struct AgentTool {
    let name: String
    let page: Page
    let event: EventDeclaration
    /// The tool for a model: its name, what it does, what it reads, and what it results in. Stored, because a list contains all of them.
    let definition: Value

    /// The tools of pages: the events whose values a model may know. Their names are different.
    static func tools(of pages: [Page]) -> [AgentTool] {
        var names: Set<String> = []
        return pages.flatMap { page in
            let outputSchema = outputSchema(of: page)
            return page.events.filter { $0.reads.allSatisfy(\.acceptsAgents) }.map { event in
                let plain = "\(page.name)_\(event.event.name)".toolName
                var (name, number) = (plain, 1)
                while !names.insert(name).inserted {
                    number += 1
                    name = "\(plain)-\(number)"
                }
                return AgentTool(name, page, event, outputSchema: outputSchema)
            }
        }
    }

    private init(_ name: String, _ page: Page, _ event: EventDeclaration, outputSchema: Value) {
        (self.name, self.page, self.event) = (name, page, event)
        definition = [
            "name": .string(name), "title": .string("\(page.name): \(event.event.name)"),
            "description": .string(Self.description(of: event, on: page)),
            "inputSchema": .object(ValueSchema(.object(event.reads)).jsonSchema(.input)),
            "outputSchema": outputSchema,
            // What else an event changes, its declaration does not say.
            "annotations": event.isSafe ? ["readOnlyHint": true, "idempotentHint": true] : ["readOnlyHint": false],
        ]
    }

    /// The names of the fields, as in a call: `products_onSelected(product)`.
    var signature: String { "\(name)(\(event.reads.map(\.name).joined(separator: ", ")))" }

    private static func description(of event: EventDeclaration, on page: Page) -> String {
        var sentences = ["The event '\(event.event.name)' of the page '\(page.name)'."]
        let outputs = event.gives.compactMap { content -> String? in
            guard case .render(let key, _, _, let description, false) = content else { return nil }
            return key + (description.map { " (\($0))" } ?? "")
        }
        if !outputs.isEmpty { sentences.append("Shows \(outputs.joined(separator: ", ")).") }
        let messages = event.gives.flatMap(\.messages).map { "\"\($0.text)\"" }
        if !messages.isEmpty { sentences.append("Can answer \(messages.joined(separator: ", ")).") }
        let destinations = event.gives.compactMap { content -> String? in
            guard case .goToPage(let destination) = content else { return nil }
            return "'\(destination.page ?? destination.name)'"
        }
        if !destinations.isEmpty { sentences.append("Can go to the page \(destinations.joined(separator: ", ")).") }
        return sentences.joined(separator: " ")
    }

    /// The schema of ``AgentAnswer/content``.
    private static func outputSchema(of page: Page) -> Value {
        var shown: Value.Object = [:]
        for output in page.outputs where !output.isSecret {
            var property = output.schema.jsonSchema(.output)
            property["description"] = output.description.map(Value.string)
            shown[output.key] = .object(property)
        }
        let list: Value = ["type": "array", "items": ["type": "object"]]
        return [
            "type": "object", "required": ["page", "ok"],
            "properties": [
                "page": ["type": "string"], "ok": ["type": "boolean"],
                "shown": ["type": "object", "properties": .object(shown)],
                "commands": list, "alert": ["type": "object"], "goToPage": ["type": "object"], "errors": list,
            ],
        ]
    }
}

extension String {
    /// The text with the characters and the length that the names of tools may have.
    fileprivate var toolName: String {
        let bytes = utf8.prefix(120).map { byte in
            byte.isASCIIAlphanumeric || "_-.".utf8.contains(byte) ? byte : UInt8(ascii: "-")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
