import BusinessLogic
import HTTPMessages
import UnderstudyPages

extension Problem {
    /// The description of ``Code``, with all codes.
    static let codesDescription =
        "The code of the error. Codes never change, and later versions may add some:\n\n"
        + Code.allCases.map { "- `\($0.rawValue)` (\($0.status)): \($0.title)." }.joined(separator: "\n")
            + """


            Paths and methods that this document does not list get `unknownPage` and `methodNotAllowed`.
            """

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
            of("emial", .unknown(["email"]), code)
        case .valueTooLong: of("email", .tooLong(maximum: 254), code)
        case .valueTooShort: of("code", .tooShort(minimum: 8), code)
        case .valueOutOfRange: of("guests", .outOfRange(minimum: 1, maximum: 12), code)
        case .unknownChoice: of("size", .unknownChoice(["small", "medium", "large"]), code)
        case .wrongCount: of("lines", .wrongCount(1...20), code)
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

    private static func of(_ field: String, _ reason: FieldFault.Reason, _ code: Code) -> Problem {
        of(EventError.invalidFields([FieldFault(field, reason)], fields: [field]), code)
    }
}
