import BusinessLogic

/// The two operations of a page.
extension Page {
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
            description(sequence: 0, shown: nil)
        )
        return [
            "operationId": .string("\(name)Get"),
            "tags": [.string(DocumentTag.pages.rawValue)],
            "summary": .string("See what the page '\(name)' shows"),
            "description": "What the screen shows now, and which events it knows. Starts no session.",
            "security": Security.optional.value,
            "responses": ErrorResponse.responses(
                success: (
                    200,
                    [
                        "description": "What the page shows and accepts.",
                        "headers": ResponseHeader.references(),
                        "content": ["application/json": content(.schema("Screen"), [unused])],
                    ]
                ),
                errors: Self.showErrors
            ),
        ]
    }

    /// `POST /PAGE`.
    var eventOperation: Value {
        let examples = examples()
        let requests = examples.map { Example($0.name, $0.summary, $0.request) }
        let forms = examples.compactMap { example in
            example.form.map { Example(example.name, example.summary, .object($0)) }
        }
        let answers = examples.map { Example($0.name, $0.summary, $0.response) }
        return [
            "operationId": .string("\(name)Post"),
            "tags": [.string(DocumentTag.pages.rawValue)],
            "summary": .string("Send an event to the page '\(name)'"),
            "description": .string(eventDescription(hasExamples: !examples.isEmpty)),
            "security": Security.optional.value,
            "parameters": [Parameter.idempotencyKey.reference, Parameter.deviceToken.reference],
            "requestBody": [
                "description": "An event with its values, or the values of the default event alone.",
                "required": .boolean(isBodyRequired),
                "content": [
                    "application/json": content(submissionSchema, requests),
                    "application/x-www-form-urlencoded": content(.schema(formSchemaName), forms),
                ],
            ],
            "responses": ErrorResponse.responses(
                success: (
                    200,
                    [
                        "description": "The event was handled, whatever its outcome. The answer lists what it caused.",
                        "headers": ResponseHeader.references([.setCookie, .idempotencyReplayed]),
                        "content": ["application/json": content(.schema("EventAnswer"), answers)],
                    ]
                ),
                errors: Self.eventErrors
            ),
        ]
    }

    private func eventDescription(hasExamples: Bool) -> String {
        """
        Tells the page's logic what has happened on its screen:

        \(events.map { "- \(summary(of: $0))" }.joined(separator: "\n"))

        What was sent is kept, as a text field keeps its text, so that a field that has not changed may be left out.
        A secret is forgotten as soon as its event has been handled. \(bodyDescription)
        """
            + (hasExamples ? "\n\nThe examples are those of `understudy serve --demo`, each in a new session." : "")
    }

    /// Whether the page rejects every request without a body, because the default event reads a secret. A client must send a
    /// secret with each event that reads it.
    private var isBodyRequired: Bool { defaultEvent.reads.contains(where: isSecret) }

    private var bodyDescription: String {
        isBodyRequired
            ? "There has to be a body, since the default event reads a secret."
            : "Without a body the default event is meant."
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
    let name: String
    let summary: String
    let value: Value

    init(_ name: String, _ summary: String, _ value: Value) {
        self.name = name
        self.summary = summary
        self.value = value
    }
}
