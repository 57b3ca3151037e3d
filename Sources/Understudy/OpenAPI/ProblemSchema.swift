import BusinessLogic
import MicroHTTP

extension Problem {
    /// The schema of every error.
    static let schema: Value = [
        "description": """
        An error (RFC 9457). `code` identifies it. The members from `offset` on help to correct the request, and are \
        present only for the codes that their descriptions name.
        """,
        "type": "object",
        "required": ["type", "title", "status", "code", "requestID"],
        "properties": [
            "type": [
                "description": "`/problems/CODE`: GET explains the error in plain text.",
                "type": "string",
                "format": "uri-reference",
            ],
            "title": ["description": "A short description of the error.", "type": "string"],
            "status": [
                "description": "The HTTP status.", "type": "integer", "format": "int64", "minimum": 400,
                "maximum": 599,
            ],
            "detail": ["description": "What was received, and what was expected.", "type": "string"],
            "code": ["description": .string(codes), "type": "string"],
            "requestID": [
                "description": "The ID of the request. The server's log contains it.", "type": "string",
            ],
            "offset": WireSchema.number("`malformedJSON`: the offset of the error in the body, in bytes.", minimum: 0),
            "pointer": [
                "description": """
                `malformedBody`, `unknownRule`, `valueTooLong`: the location of the error in the body (RFC 6901).
                """,
                "type": "string",
                "format": "json-pointer",
            ],
            "event": ["description": "`unknownEvent`: the event that was sent.", "type": "string"],
            "events": names("`unknownEvent`: the events of the page."),
            "field": [
                "description": "`missingField`, `wrongFieldType`, `unknownField`, `valueTooLong`: the field.",
                "type": "string",
            ],
            "expected": [
                "description": "`wrongFieldType`: the JSON type that the value must have.",
                "type": "string",
                "examples": .array(FieldKind.allCases.map { .string($0.rawValue) }),
            ],
            "format": [
                "description": "`wrongFieldType`: the format that the value must have, if the field declares one.",
                "type": "string",
            ],
            "example": ["description": "`wrongFieldType`: a valid value."],
            "fields": names(
                "`missingField`, `wrongFieldType`: the fields that the event reads. `unknownField`: those of the page."
            ),
            "limit": WireSchema.number(
                """
                `bodyTooLarge`, `targetTooLong`, `headersTooLarge`, `sessionFull`: the maximum, in bytes.
                """,
                minimum: 0
            ),
            "maximum": WireSchema.number(
                "`valueTooLong`: the maximum number of Unicode code points of the value.",
                minimum: 0
            ),
            "part": [
                "description": "`unavailable`: the part of the service that is unavailable, if it is known.",
                "type": "string",
                "examples": ["accounts", "products", "sessions"],
            ],
            "rules": names("`unknownRule`: the rules of the service."),
            "sequence": WireSchema.number("`historyGone`: the number of the session's last command.", minimum: 0),
            "host": ["description": "`misdirectedRequest`: the host that the request names.", "type": "string"],
            "pages": names("`unknownPage`: the pages of the service."),
            "codes": names("`unknownProblem`: the codes of all problems."),
        ],
        "additionalProperties": true,
    ]

    private static let codes =
        "The code of the error. Codes never change, and later versions may add some:\n\n"
        + Code.allCases.map { "- `\($0.rawValue)` (\($0.status)): \($0.title)." }.joined(separator: "\n")
            + """


            Paths and methods that this document does not list get `unknownPage` and `methodNotAllowed`.
            """

    private static func names(_ description: String) -> Value {
        ["description": .string(description), "type": "array", "items": ["type": "string"]]
    }
}

extension Problem {
    /// An example of the problem, with the members that the server sends.
    static func example(_ code: Code) -> Problem {
        switch code {
        case .malformedRequest: Problem(RequestRejection.malformedRequest("The header Host is missing."))
        case .malformedJSON:
            Problem(code, "At byte 12: a comma or a closing bracket was expected.", members: ["offset": 12])
        case .malformedBody: Problem(code, "The values must be an object.", members: ["pointer": "/values"])
        case .invalidParameter: Problem(code, "'since' must be a whole number from 0.")
        case .notAuthenticated: Problem(code, "No user is logged in.")
        case .crossSite: Problem(code, "Sec-Fetch-Site is cross-site.")
        case .unknownPage: Problem(code, "There is no page at '/logn'.", members: ["pages": ["login", "register"]])
        case .unknownProblem: Problem(code, members: ["codes": ["malformedRequest", "malformedJSON"]])
        case .notRecorded: Problem(code, "The server does not record sessions.")
        case .methodNotAllowed: Problem(code, "Use GET or POST.", allow: [.get, .post])
        case .historyGone: Problem(code, "The last 256 commands are kept.", members: ["sequence": 300])
        case .bodyTooLarge: Problem(RequestRejection.bodyTooLarge(limit: 65_536))
        case .targetTooLong: Problem(RequestRejection.targetTooLong(limit: 8192))
        case .headersTooLarge: Problem(RequestRejection.headersTooLarge(limit: 16_384))
        case .unsupportedMediaType: Problem(code, "Send application/json (curl --json).")
        case .unknownEvent: of(EventError.unknownEvent("saveButonPressed", events: ["saveButtonPressed"]), code)
        case .missingField: of(EventError.missingField("email", fields: ["email"]), code)
        case .wrongFieldType:
            of(
                EventError.wrongFieldType(
                    "birthday",
                    expected: ExpectedValue(.string, format: "date", example: "1980-05-12"),
                    fields: ["birthday"]
                ),
                code
            )
        case .unknownField:
            Problem(
                code,
                "No event of this page reads a field 'emial'.",
                members: ["field": "emial", "fields": ["email"]]
            )
        case .valueTooLong: of(EventError.valueTooLong("email", maximum: 254), code)
        case .idempotencyKeyReused: Problem(code, "The key 'a1' was used for a request with another body or page.")
        case .unknownRule:
            Problem(
                code,
                "There is no rule 'emial'.",
                members: ["pointer": "/checks/0/rule", "rules": ["userID", "email"]]
            )
        case .sessionFull: Problem(code, "A session may have at most 65536 bytes.", members: ["limit": 65_536])
        case .tooManyRequests: of(CollaboratorError.tooManyRequests(retryAfter: .seconds(60)), code)
        case .internal: Problem(code)
        case .unsupportedTransferCoding: Problem(RequestRejection.unsupportedTransferCoding)
        case .overloaded: of(CollaboratorError.overloaded(retryAfter: .seconds(1)), code)
        case .unavailable: Problem(RequestRejection.stopping)
        case .answerTimeout: Problem(RequestRejection.responseTimeout)
        case .unsupportedHTTPVersion: Problem(RequestRejection.unsupportedHTTPVersion)
        case .misdirectedRequest: Problem(RequestRejection.misdirectedRequest(host: "example.com"))
        }
    }

    /// The problem that reports the error.
    private static func of(_ error: any Error, _ code: Code) -> Problem { Problem(error) ?? Problem(code) }
}
