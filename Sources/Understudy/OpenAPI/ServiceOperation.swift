import BusinessLogic
import MicroHTTP

/// What the document says of one of the service's own routes.
struct ServiceOperation {
    let id: String
    let tag: DocumentTag
    let summary: String
    let description: String
    let security: Security
    private(set) var parameters: [Value] = []
    private(set) var requestBody: Value?
    let success: (status: Int, value: Value)
    /// What can go wrong there.
    let errors: [ErrorResponse]

    private init(
        _ id: String,
        _ tag: DocumentTag,
        _ summary: String,
        _ description: String,
        security: Security = .none,
        parameters: [Value] = [],
        requestBody: Value? = nil,
        success: (status: Int, value: Value),
        errors: [ErrorResponse],
        isLimited: Bool = true
    ) {
        self.id = id
        self.tag = tag
        self.summary = summary
        self.description = description
        self.security = security
        self.parameters = parameters
        self.requestBody = requestBody
        self.success = success
        self.errors = errors + ErrorResponse.onArrival.filter { isLimited || $0.status != 429 }
    }

    /// The operation as it stands under its path and method.
    var value: Value {
        var value: Value.Object = [
            "operationId": .string(id),
            "tags": [.string(tag.rawValue)],
            "summary": .string(summary),
            "description": .string(description),
            "security": security.value,
        ]
        if !parameters.isEmpty { value["parameters"] = .array(parameters) }
        value["requestBody"] = requestBody
        value["responses"] = ErrorResponse.responses(success: success, errors: errors)
        return .object(value)
    }

    private static func answer(
        _ description: String,
        _ type: String? = nil,
        _ schema: Value = ["type": "string"],
        example: Value? = nil,
        headers: [ResponseHeader] = []
    ) -> Value {
        var answer: Value.Object = [
            "description": .string(description), "headers": ResponseHeader.references(headers),
        ]
        if let type {
            var content: Value.Object = ["schema": schema]
            if let example { content["example"] = example }
            answer["content"] = .object([type: .object(content)])
        }
        return .object(answer)
    }

    private static let text = "text/plain; charset=utf-8"
}

/// The sessions' operations.
extension ServiceOperation {
    static var startSession: ServiceOperation {
        ServiceOperation(
            "startSession",
            .sessions,
            "Start a session for a client without cookies",
            "Takes no body. Clients that keep cookies need not call it: their first event starts a session.",
            success: (
                201,
                answer(
                    "The session's token. Keep it secret: whoever has it has the session.",
                    "application/json",
                    .schema("SessionToken")
                )
            ),
            errors: [.malformedRequest, .crossSite, .bodyTooLarge, .internalError] + ErrorResponse.onWaiting
        )
    }

    static var showSession: ServiceOperation {
        ServiceOperation(
            "showSession",
            .sessions,
            "See who is logged in",
            """
            Answers 200 where somebody is logged in and 401 where nobody is, so that a reverse proxy can ask it before it \
            lets a request pass.
            """,
            security: .required,
            success: (
                200,
                answer("Somebody is logged in.", "application/json", .schema("Login"), headers: [.remoteUser])
            ),
            errors: [.malformedRequest, .notAuthenticated, .internalError] + ErrorResponse.onWaiting
        )
    }

    static var endSession: ServiceOperation {
        ServiceOperation(
            "endSession",
            .sessions,
            "End the session",
            "All that the session held is gone, a login too. Without a session there is nothing to do, and that is no error.",
            security: .optional,
            success: (204, answer("There is no session any more.", headers: [.setCookie])),
            errors: [.malformedRequest, .notAuthenticated, .crossSite, .internalError] + ErrorResponse.onWaiting
        )
    }

    static var showHistory: ServiceOperation {
        ServiceOperation(
            "showHistory",
            .sessions,
            "See what has happened in the session",
            """
            All commands after the one numbered `since`, over all pages: what a client needs that has missed an answer. \
            The last 256 commands are kept, or fewer if they are large.
            """,
            security: .required,
            parameters: [Parameter.since.reference],
            success: (200, answer("The commands.", "application/json", .schema("History"))),
            errors: [.invalidParameter, .notAuthenticated, .historyGone, .internalError] + ErrorResponse.onWaiting
        )
    }

    static var showRecording: ServiceOperation {
        ServiceOperation(
            "showRecording",
            .sessions,
            "Get the session's recording",
            """
            A header, then each event of the session with its values, what it depended on and what was answered, as JSON \
            values, one a line. Secrets are erased. Only where sessions are recorded; `understudy replay` plays it.
            """,
            security: .required,
            success: (200, answer("The recording.", ContentType.jsonLines.description)),
            errors: [.malformedRequest, .notAuthenticated, .notRecorded, .internalError] + ErrorResponse.onWaiting
        )
    }
}

/// The rules' operation.
extension ServiceOperation {
    static var validate: ServiceOperation {
        ServiceOperation(
            "validate",
            .rules,
            "Hold values against the rules",
            "The rules that the pages apply, without a session: nothing is kept, and nothing is logged.",
            requestBody: [
                "required": true,
                "content": ["application/json": ["schema": .schema("Checks")]],
            ],
            success: (
                200,
                answer(
                    "The results, in the order of the checks.",
                    "application/json",
                    .schema("CheckResults")
                )
            ),
            errors: [
                .invalidChecks, .crossSite, .bodyTooLarge, .unsupportedMediaType, .unknownRule, .internalError,
            ]
        )
    }
}

/// The operations for whoever runs the service or writes a client.
extension ServiceOperation {
    static var live: ServiceOperation {
        ServiceOperation(
            "live",
            .service,
            "See whether the process is alive",
            "For the supervisor: where this does not answer 200, the process has to be started again.",
            success: (200, answer("It is.", text, example: "ok\n")),
            errors: [.malformedRequest, .unavailable],
            isLimited: false
        )
    }

    static var ready: ServiceOperation {
        ServiceOperation(
            "ready",
            .service,
            "See whether the service wants requests",
            "For the load balancer: where this does not answer 200, requests should go elsewhere.",
            success: (200, answer("It does.", text, example: "ok\n")),
            errors: [.malformedRequest, .unavailable],
            isLimited: false
        )
    }

    static var openAPIYAML: ServiceOperation {
        ServiceOperation(
            "openAPIYAML",
            .service,
            "Get this document as YAML",
            "The document of the pages that this very service serves.",
            success: (200, answer("The document.", ContentType.yaml.description)),
            errors: [.malformedRequest]
        )
    }

    static var openAPIJSON: ServiceOperation {
        ServiceOperation(
            "openAPIJSON",
            .service,
            "Get this document as JSON",
            "The same document as `/openapi.yaml`.",
            success: (200, answer("The document.", "application/json", ["type": "object"])),
            errors: [.malformedRequest]
        )
    }

    static var explainProblem: ServiceOperation {
        ServiceOperation(
            "explainProblem",
            .service,
            "Read what an error means",
            "What the error means, when it comes and what to do about it: this is where a problem's `type` leads.",
            parameters: [
                [
                    "name": "code",
                    "in": "path",
                    "required": true,
                    "description": "The error's code.",
                    "schema": .schema("ProblemCode"),
                ]
            ],
            success: (200, answer("The explanation.", text)),
            errors: [.malformedRequest, .unknownProblem]
        )
    }
}
