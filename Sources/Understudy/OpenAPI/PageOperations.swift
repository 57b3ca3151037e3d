import BusinessLogic
import UnderstudyPages

/// The two operations of the page.
extension DescribedPage {
    /// `GET /PAGE`.
    var showOperation: Value {
        let unused: Example = (
            "unused",
            "The page in a session that has not used it.",
            (try? JSONReader.read(
                PageDescription(page, links).json(sequence: 0, shown: nil, ResponseContext(links: links))
            )) ?? .null
        )
        var operation = DocumentTemplate.part("page")["get"] ?? [:]
        operation["operationId"] = .string(names.show)
        operation["summary"] = .string("Show the page `\(page.name)`")
        let parameters = page.fields.filter(\.acceptsLinks).compactMap(linkParameter)
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        operation["responses"]?["200"]?["content"]?["application/json"] = content(.schema(names.screen), [unused])
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

    /// `POST /PAGE`.
    ///
    /// - Parameter pages: all pages of the document.
    func eventOperation(among pages: [DescribedPage]) -> Value {
        let examples = page.examples()
        let requests =
            examples.isEmpty
            ? [("values", "The default event.", exampleRequest)] : examples.map { ($0.name, $0.summary, $0.request) }
        let answers = examples.map { ($0.name, $0.summary, $0.response(of: page.name, links)) }
        var operation = DocumentTemplate.part("page")["post"] ?? [:]
        operation["operationId"] = .string(names.send)
        operation["summary"] = .string("Send an event to the page `\(page.name)`")
        operation["description"] = .string(eventDescription(hasExamples: !examples.isEmpty))
        if !page.secrets.isEmpty, let parameters = operation["parameters"]?.array {
            operation["parameters"] = .array(parameters + [.reference("parameters", "DeviceToken")])
        }
        operation["requestBody"]?["content"]?["application/json"] = content(requestSchema, requests)
        operation["responses"]?["200"]?["content"]?["application/json"] = content(.schema(names.response), answers)
        operation["responses"]?["200"]?["links"] = responseLinks(among: pages)
        return operation
    }

    /// A request with the default event.
    private var exampleRequest: Value {
        let event = page.defaultEvent
        let values = (try? page.examples(of: [event.event]).first?.values) ?? event.exampleValues
        var request: Value.Object = ["event": .string(event.event.name)]
        if !values.isEmpty { request["values"] = .object(values) }
        return .object(request)
    }

    private func eventDescription(hasExamples: Bool) -> String {
        let events = page.events.map { declaration in
            let commands = commandLines(of: declaration).map { "\n  - \($0)" }.joined()
            return "- \(summary(of: declaration))\(commands.isEmpty ? "" : " It gives:")\(commands)"
        }
        return """
            Sends an event of the screen to the page's logic:

            \(events.joined(separator: "\n"))

            \(bodyDescription)
            """
                + (hasExamples ? "\n\nThe examples are those of `understudy serve --demo`, each in a new session." : "")
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

    /// Links from the response to other operations.
    private func responseLinks(among pages: [DescribedPage]) -> Value {
        var links: Value.Object = [
            "history": [
                "operationId": "showHistory",
                "parameters": ["since": "$response.body#/sequence"],
                "description": "The commands of later events, for a client that missed a response.",
            ],
            "screen": [
                "operationId": .string(names.show), "description": "What the page shows now.",
            ],
        ]
        if !page.secrets.isEmpty {
            links["login"] = [
                "operationId": "showSession",
                "description": """
                The logged-in user, after a login. If the response contains `token`, send it as `Authorization: Bearer \
                TOKEN` from now on.
                """,
            ]
            links["logout"] = ["operationId": "endSession", "description": "Ends the session, and the login."]
        }
        for destination in destinations {
            guard let target = pages.first(where: { $0.page.name == destination.page }) else { continue }
            links["to\(DocumentNames.typeName(destination.name, "Page"))"] = [
                "operationId": .string(target.names.send),
                "description": .string(
                    "The page to which `goToPage` with the name `\(destination.name)` leads: post its `values`, if any."
                ),
            ]
        }
        return .object(links)
    }

    private func content(_ schema: Value, _ examples: [Example]) -> Value {
        guard !examples.isEmpty else { return ["schema": schema] }
        var values: Value.Object = [:]
        for example in examples {
            values[example.name] = ["summary": .string(example.summary), "value": example.value]
        }
        return ["schema": schema, "examples": .object(values)]
    }
}

private typealias Example = (name: String, summary: String, value: Value)
