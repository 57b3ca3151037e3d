package import BusinessLogic
package import UnderstudyPages

/// An error response in the document: the problem codes that an operation can return with one status.
package struct ErrorResponse: Sendable {
    package let name: String
    let codes: [Problem.Code]
    let isReplayable: Bool

    init(name: String, codes: [Problem.Code], isReplayable: Bool = false) {
        self.name = name
        self.codes = codes
        self.isReplayable = isReplayable
    }

    /// The response of one code, named after it.
    private init(_ code: Problem.Code) {
        self.init(name: code.rawValue.prefix(1).uppercased() + code.rawValue.dropFirst(), codes: [code])
    }

    /// The HTTP status, which is the same for all codes.
    package var status: Int { codes[0].status }

    var reference: Value { .reference("responses", name) }

    package static let malformedRequest = ErrorResponse(.malformedRequest)
    package static let invalidParameter = ErrorResponse(
        name: "InvalidParameter",
        codes: [.malformedRequest, .invalidParameter]
    )
    static let invalidSubmission = ErrorResponse(
        name: "InvalidSubmission",
        codes: [.malformedRequest, .malformedJSON, .malformedBody, .invalidParameter]
    )
    package static let invalidChecks = ErrorResponse(
        name: "InvalidChecks",
        codes: [.malformedRequest, .malformedJSON, .malformedBody]
    )
    package static let unknownRule = ErrorResponse(name: "UnknownRule", codes: [.unknownRule, .valueTooLong])
    package static let notAuthenticated = ErrorResponse(.notAuthenticated)
    package static let crossSite = ErrorResponse(.crossSite)
    package static let unknownProblem = ErrorResponse(.unknownProblem)
    package static let notRecorded = ErrorResponse(.notRecorded)
    package static let historyGone = ErrorResponse(.historyGone)
    package static let bodyTooLarge = ErrorResponse(.bodyTooLarge)
    static let targetTooLong = ErrorResponse(.targetTooLong)
    package static let unsupportedMediaType = ErrorResponse(.unsupportedMediaType)
    static let refusedEvent = ErrorResponse(
        name: "RefusedEvent",
        codes: [
            .unknownEvent, .missingField, .wrongFieldType, .unknownField, .valueTooLong, .idempotencyKeyReused,
            .sessionFull,
        ]
    )
    static let tooManyRequests = ErrorResponse(.tooManyRequests)
    static let headersTooLarge = ErrorResponse(.headersTooLarge)
    package static let internalError = ErrorResponse(name: "InternalError", codes: [.internal])
    static let failedEvent = ErrorResponse(name: "FailedEvent", codes: [.internal], isReplayable: true)
    static let unsupportedTransferCoding = ErrorResponse(.unsupportedTransferCoding)
    static let busy = ErrorResponse(name: "Busy", codes: [.overloaded, .unavailable])
    package static let unavailable = ErrorResponse(.unavailable)
    static let answerTimeout = ErrorResponse(.answerTimeout)

    static let misdirectedRequest = ErrorResponse(.misdirectedRequest)
    static let unsupportedHTTPVersion = ErrorResponse(.unsupportedHTTPVersion)

    /// The errors of every operation, except ``malformedRequest``, which each operation lists with its other codes for
    /// status 400.
    static let onArrival: [ErrorResponse] = [
        .targetTooLong, .headersTooLarge, .tooManyRequests, .unsupportedTransferCoding, .unsupportedHTTPVersion,
        .misdirectedRequest,
    ]
    /// The errors of an operation that waits for a session or a controller.
    package static let onWaiting: [ErrorResponse] = [.busy, .answerTimeout]

    /// The response as a component of the document.
    ///
    /// - Parameter prefix: the service's path prefix.
    package func value(below prefix: PathPrefix) -> Value {
        var examples: Value.Object = [:]
        for code in codes {
            examples[code.rawValue] = [
                "summary": .string("\(code.title)."),
                "value": Problem.example(code).body(id: "0f8c2b1e9d774a35", below: prefix),
            ]
        }
        return [
            "description": .string(description),
            "headers": ResponseHeader.references(headers),
            "content": ["application/problem+json": ["schema": .schema("Problem"), "examples": .object(examples)]],
        ]
    }

    private var description: String {
        if codes.count == 1 { return "\(codes[0].title) (`\(codes[0].rawValue)`). \(codes[0].explanation)" }
        return "One of:\n\n"
            + codes.map { "- `\($0.rawValue)`: \($0.title). \($0.explanation)" }.joined(separator: "\n")
    }

    private var headers: [ResponseHeader] {
        var headers = ResponseHeader.ofTexts
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
