import BusinessLogic

/// An error response in the document: the problem codes that an operation can return with one status.
struct ErrorResponse: Sendable {
    let name: String
    let codes: [Problem.Code]
    private(set) var isReplayable = false

    /// The HTTP status, which is the same for all codes.
    var status: Int { codes[0].status }

    var reference: Value { .reference("responses", name) }

    static let malformedRequest = ErrorResponse(name: "MalformedRequest", codes: [.malformedRequest])
    static let invalidParameter = ErrorResponse(
        name: "InvalidParameter",
        codes: [.malformedRequest, .invalidParameter]
    )
    static let invalidSubmission = ErrorResponse(
        name: "InvalidSubmission",
        codes: [.malformedRequest, .malformedJSON, .malformedBody, .invalidParameter]
    )
    static let invalidChecks = ErrorResponse(
        name: "InvalidChecks",
        codes: [.malformedRequest, .malformedJSON, .malformedBody]
    )
    static let unknownRule = ErrorResponse(name: "UnknownRule", codes: [.unknownRule, .valueTooLong])
    static let notAuthenticated = ErrorResponse(name: "NotAuthenticated", codes: [.notAuthenticated])
    static let crossSite = ErrorResponse(name: "CrossSite", codes: [.crossSite])
    static let unknownProblem = ErrorResponse(name: "UnknownProblem", codes: [.unknownProblem])
    static let notRecorded = ErrorResponse(name: "NotRecorded", codes: [.notRecorded])
    static let historyGone = ErrorResponse(name: "HistoryGone", codes: [.historyGone])
    static let bodyTooLarge = ErrorResponse(name: "BodyTooLarge", codes: [.bodyTooLarge])
    static let targetTooLong = ErrorResponse(name: "TargetTooLong", codes: [.targetTooLong])
    static let unsupportedMediaType = ErrorResponse(name: "UnsupportedMediaType", codes: [.unsupportedMediaType])
    static let refusedEvent = ErrorResponse(
        name: "RefusedEvent",
        codes: [
            .unknownEvent, .missingField, .wrongFieldType, .unknownField, .valueTooLong, .idempotencyKeyReused,
            .sessionFull,
        ]
    )
    static let tooManyRequests = ErrorResponse(name: "TooManyRequests", codes: [.tooManyRequests])
    static let headersTooLarge = ErrorResponse(name: "HeadersTooLarge", codes: [.headersTooLarge])
    static let internalError = ErrorResponse(name: "InternalError", codes: [.internal])
    static let failedEvent = ErrorResponse(name: "FailedEvent", codes: [.internal], isReplayable: true)
    static let unsupportedTransferCoding = ErrorResponse(
        name: "UnsupportedTransferCoding",
        codes: [.unsupportedTransferCoding]
    )
    static let busy = ErrorResponse(name: "Busy", codes: [.overloaded, .unavailable])
    static let unavailable = ErrorResponse(name: "Unavailable", codes: [.unavailable])
    static let answerTimeout = ErrorResponse(name: "AnswerTimeout", codes: [.answerTimeout])

    static let misdirectedRequest = ErrorResponse(name: "MisdirectedRequest", codes: [.misdirectedRequest])
    static let unsupportedHTTPVersion = ErrorResponse(
        name: "UnsupportedHTTPVersion",
        codes: [.unsupportedHTTPVersion]
    )

    /// The errors of every operation, except ``malformedRequest``, which each operation lists with its other codes for
    /// status 400.
    static let onArrival: [ErrorResponse] = [
        .targetTooLong, .headersTooLarge, .tooManyRequests, .unsupportedTransferCoding, .unsupportedHTTPVersion,
        .misdirectedRequest,
    ]
    /// The errors of an operation that waits for a session or a controller.
    static let onWaiting: [ErrorResponse] = [.busy, .answerTimeout]

    /// The response as a component of the document.
    var value: Value {
        [
            "description": .string(description),
            "headers": ResponseHeader.references(headers),
            "content": [
                "application/problem+json": [
                    "schema": [
                        "allOf": [
                            .schema("Problem"),
                            [
                                "properties": [
                                    "status": ["const": Value(status)],
                                    "code": ["enum": .array(codes.map { .string($0.rawValue) })],
                                ]
                            ],
                        ]
                    ]
                ]
            ],
        ]
    }

    private var description: String {
        if codes.count == 1 { return "\(codes[0].title) (`\(codes[0].rawValue)`). \(codes[0].explanation)" }
        return "One of:\n\n"
            + codes.map { "- `\($0.rawValue)`: \($0.title). \($0.explanation)" }.joined(separator: "\n")
    }

    private var headers: [ResponseHeader] {
        var headers: [ResponseHeader] = []
        if isReplayable { headers.append(.idempotencyReplayed) }
        if status == 401 { headers.append(.authenticate) }
        if status == 429 || status == 503 { headers.append(.retryAfter) }
        if status == 429 { headers += [.rateLimitPolicy, .rateLimit] }
        return headers
    }

    /// The member `responses` of an operation: the successful response, and the errors by status.
    static func responses(success: (status: Int, value: Value), errors: [ErrorResponse]) -> Value {
        var responses: Value.Object = ["\(success.status)": success.value]
        for error in errors.sorted(by: { $0.status < $1.status }) { responses["\(error.status)"] = error.reference }
        return .object(responses)
    }
}

extension Problem {
    /// The schema of every error.
    static let schema: Value = [
        "description": """
        An error (RFC 9457). `code` says which; the members that help to mend it stand where they apply.
        """,
        "type": "object",
        "required": ["type", "title", "status", "code", "requestID"],
        "properties": [
            "type": [
                "type": "string", "format": "uri-reference",
                "description": "`/problems/CODE`, which GET explains in plain text.",
            ],
            "title": ["type": "string", "description": "What is wrong, in a few words that never change."],
            "status": ["type": "integer", "minimum": 400, "maximum": 599, "description": "The HTTP status."],
            "detail": [
                "type": "string", "description": "What is wrong in this case, and what would be right.",
            ],
            "code": .schema("ProblemCode"),
            "requestID": [
                "type": "string", "description": "The request's name, under which the log has it.",
            ],
            "offset": [
                "type": "integer", "minimum": 0,
                "description": "`malformedJSON`: the byte at which the body stops being JSON.",
            ],
            "pointer": [
                "type": "string", "format": "json-pointer",
                "description": "`malformedBody`, `unknownRule`, `valueTooLong`: the place in the body (RFC 6901).",
            ],
            "event": ["type": "string", "description": "`unknownEvent`: the event that was sent."],
            "events": names("`unknownEvent`: the events that the page has."),
            "field": [
                "type": "string",
                "description": "`missingField`, `wrongFieldType`, `unknownField`, `valueTooLong`: the field.",
            ],
            "expected": [
                "type": "string", "enum": .array(Field.Kind.allCases.map { .string($0.rawValue) }),
                "description": "`wrongFieldType`: the type that the field has to have.",
            ],
            "fields": names(
                "`missingField`, `wrongFieldType`: the fields that the event reads. `unknownField`: those that the page "
                    + "reads."
            ),
            "limit": [
                "type": "integer", "minimum": 0,
                "description":
                    "`bodyTooLarge`, `targetTooLong`, `headersTooLarge`, `sessionFull`: how many bytes there may be.",
            ],
            "maximum": [
                "type": "integer", "minimum": 0,
                "description": "`valueTooLong`: how many Unicode code points the value may have.",
            ],
            "host": [
                "type": "string", "description": "`misdirectedRequest`: the host that the header Host names.",
            ],
            "sequence": [
                "type": "integer", "minimum": 0, "description": "`historyGone`: the session's last command.",
            ],
            "pages": names("`unknownPage`: the pages that there are."),
            "codes": names("`unknownProblem`: the codes that there are."),
        ],
    ]

    private static func names(_ description: String) -> Value {
        ["type": "array", "items": ["type": "string"], "description": .string(description)]
    }
}

extension Problem.Code {
    /// The schema of all codes.
    static var schema: Value {
        [
            "description": .string(
                "Which error. The codes never change:\n\n"
                    + allCases.map { "- `\($0.rawValue)` (\($0.status)): \($0.title)." }.joined(separator: "\n")
                    + "\n\n`unknownPage` and `methodNotAllowed` answer paths and methods that this document does not list;\n"
                    + "the header Allow then lists the methods that the path does answer."
            ),
            "type": "string",
            "enum": .array(allCases.map { .string($0.rawValue) }),
        ]
    }
}
