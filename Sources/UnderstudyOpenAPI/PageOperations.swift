import BusinessLogic
import UnderstudyPages

/// The two operations of the page.
extension DescribedPage {
    /// The errors of both operations.
    static let errors = showErrors + eventErrors

    private static let showErrors: [ErrorResponse] =
        [.malformedRequest, .notAuthenticated, .internalError] + ErrorResponse.onArrival + ErrorResponse.onWaiting

    private static let eventErrors: [ErrorResponse] =
        [
            .invalidSubmission, .notAuthenticated, .crossSite, .bodyTooLarge, .unsupportedMediaType, .refusedEvent,
            .failedEvent,
        ] + ErrorResponse.onArrival + ErrorResponse.onWaiting

    /// `GET /PAGE`.
    var showOperation: Value {
        let unused = Example(
            "unused",
            "The page in a session that has not used it.",
            (try? JSONReader.read(
                PageDescription(page, links).json(sequence: 0, shown: nil, ResponseContext(links: links))
            )) ?? .null
        )
        return [
            "operationId": .string(names.show),
            "tags": [.string(DocumentTag.pages.rawValue)],
            "summary": .string("Show the page `\(page.name)`"),
            "description": """
            Returns what the page shows now, and which events, fields and outputs it declares. Starts no session.
            """,
            "security": Security.optional.value,
            "responses": ErrorResponse.responses(
                success: (
                    200,
                    [
                        "description": "What the page shows and declares.",
                        "headers": ResponseHeader.references(ResponseHeader.ofTexts),
                        "content": ["application/json": content(.schema(names.screen), [unused])],
                    ]
                ),
                errors: Self.showErrors
            ),
        ]
    }

    /// `POST /PAGE`.
    ///
    /// - Parameter pages: all pages of the document.
    func eventOperation(among pages: [DescribedPage]) -> Value {
        let examples = page.examples()
        let requests = examples.map { Example($0.name, $0.summary, $0.request(to: page)) }
        let answers = examples.map { Example($0.name, $0.summary, $0.response(links)) }
        var parameters = [Parameter.idempotencyKey, .prefer, .lastEventID].map(\.reference)
        if !page.secrets.isEmpty { parameters.append(Parameter.deviceToken.reference) }
        return [
            "operationId": .string(names.send),
            "tags": [.string(DocumentTag.pages.rawValue)],
            "summary": .string("Send an event to the page `\(page.name)`"),
            "description": .string(eventDescription(hasExamples: !examples.isEmpty)),
            "security": Security.optional.value,
            "parameters": .array(parameters),
            "requestBody": [
                "description": "An event with the values that it reads.",
                "required": true,
                "content": ["application/json": content(requestSchema, requests)],
            ],
            "responses": ErrorResponse.responses(
                success: (
                    200,
                    [
                        "description": """
                        The event was handled. `ok` is `false` if a message reports an error, such as a wrong password.
                        """,
                        "headers": ResponseHeader.references(
                            [.setCookie, .idempotencyReplayed, .preferenceApplied] + ResponseHeader.ofTexts
                        ),
                        "content": [
                            "application/json": content(.schema(names.response), answers),
                            "text/event-stream": ["schema": .schema("EventStream")],
                        ],
                        "links": responseLinks(among: pages),
                    ]
                ),
                errors: Self.eventErrors
            ),
        ]
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

/// An example of a schema.
private struct Example {
    package let name: String
    package let summary: String
    package let value: Value

    init(_ name: String, _ summary: String, _ value: Value) {
        self.name = name
        self.summary = summary
        self.value = value
    }
}
