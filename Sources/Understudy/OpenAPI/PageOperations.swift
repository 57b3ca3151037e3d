import BusinessLogic
import UnderstudyPages

extension DescribedPage {
    var showOperation: Value {
        let unused = try? JSONReader.read(
            PageDescription(page, links).json(sequence: 0, shown: nil, ResponseContext(links: links))
        )
        var operation = DocumentTemplate.part("page")["get"] ?? [:]
        operation["operationId"] = .string(names.show)
        operation["summary"] = "Show the page `\(page.name)`"
        let parameters = page.fields.filter(\.acceptsLinks).compactMap(linkParameter)
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        operation["responses"]?["200"]?["content"]?["application/json"] = [
            "schema": .schema(names.screen),
            "examples": [
                "unused": ["summary": "The page in a session that has not used it.", "value": unused ?? .null]
            ],
        ]
        return operation
    }

    /// The parameter of a query that fills the field; `nil` if the field has a structure that a query describes with several names.
    ///
    /// Its type is a text, because a wrong value is no error of the request. No part of an address can contain NUL.
    private func linkParameter(_ field: FieldDeclaration) -> Value? {
        var schema: Value = ["type": "string", "pattern": #"^[^\u0000]*$"#]
        var example = example(of: field)
        if case .array(let element) = field.schema.kind, element.isScalar {
            schema = ["type": "array", "items": schema]
            example = .array((example.array ?? []).map { .string($0.string ?? "\($0)") })
        } else if field.schema.isScalar {
            example = .string(example.string ?? "\(example)")
        } else {
            return nil
        }
        return [
            "name": .string(field.name),
            "in": "query",
            "description": .string("Fills the field `\(field.name)`." + (field.description.map { " \($0)" } ?? "")),
            "schema": schema,
            "example": example,
        ]
    }

    var eventOperation: Value {
        var operation = DocumentTemplate.part("page")["post"] ?? [:]
        operation["operationId"] = .string(names.send)
        operation["summary"] = "Send an event to the page `\(page.name)`"
        operation["description"] = .string(eventDescription)
        if !page.secrets.isEmpty, let parameters = operation["parameters"]?.array {
            operation["parameters"] = .array(parameters + [.reference("parameters", "DeviceToken")])
        }
        operation["requestBody"]?["content"]?["application/json"] = [
            "schema": requestSchema, "examples": .object(requestExamples),
        ]
        operation["responses"]?["200"]?["content"]?["application/json"] = ["schema": .schema(names.response)]
        return operation
    }

    /// A request with each event, that with the default event first.
    private var requestExamples: Value.Object {
        var examples: Value.Object = [:]
        for declaration in [page.defaultEvent] + page.events where !examples.contains(declaration.event.name) {
            let event = declaration.event
            let values = (try? page.examples(of: [event]).first?.values) ?? declaration.exampleValues
            var request: Value.Object = ["event": .string(event.name)]
            if !values.isEmpty { request["values"] = .object(values) }
            examples[event.name] = ["summary": "The event \(event.name).", "value": .object(request)]
        }
        return examples
    }

    private var eventDescription: String {
        let events = page.events.map { declaration in
            let commands = declaration.gives.flatMap(lines).unique(by: \.self).map { "\n  - \($0)" }.joined()
            return "- \(summary(of: declaration))\(commands.isEmpty ? "" : " It gives:")\(commands)"
        }
        return """
            Sends an event of the screen to the page's logic:

            \(events.joined(separator: "\n"))

            \(bodyDescription)
            """
    }

    private var bodyDescription: String {
        let event = page.defaultEvent
        let body =
            event.reads.contains(where: \.isRequired)
            ? "" : " A request without a body means `\(event.event.name)`."
        guard !page.fields.isEmpty else { return "The events read no field.\(body)" }
        return """
            The schema describes complete requests. A client may leave out a value that the session keeps from an \
            earlier event, unless the field is secret.\(body)
            """
    }
}
