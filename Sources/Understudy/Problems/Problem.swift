import BusinessLogic
import MicroHTTP

/// An error as clients see it (RFC 9457).
struct Problem: Error, Equatable {
    /// Which error.
    let code: Code
    /// What is wrong in this case, and what would be right.
    var detail: String?
    /// What helps to mend it.
    var members: Value.Object = [:]
    /// When to try again.
    var retryAfter: Duration?
    /// The methods that the place answers.
    var allow: [Method] = []
    /// What has been used up.
    var quota: Quota?

    init(
        _ code: Code,
        _ detail: String? = nil,
        members: Value.Object = [:],
        retryAfter: Duration? = nil,
        allow: [Method] = [],
        quota: Quota? = nil
    ) {
        self.code = code
        self.detail = detail
        self.members = members
        self.retryAfter = retryAfter
        self.allow = allow
        self.quota = quota
    }

    /// The answer that tells of the problem, of a service that is mounted below the prefix.
    func response(id: String, below prefix: PathPrefix = PathPrefix()) -> Response {
        var object: Value.Object = [
            "type": .string("\(prefix)/problems/\(code.rawValue)"),
            "title": .string(code.title),
            "status": Value(code.status),
        ]
        if let detail { object["detail"] = .string(detail) }
        object["code"] = .string(code.rawValue)
        for (name, value) in members { object[name] = value }
        object["requestID"] = .string(id)
        return Response(status: code.status, contentType: .problem, headers: headers, body: Value.object(object).json)
    }

    private var headers: [(name: HeaderName, value: String)] {
        var headers: [(name: HeaderName, value: String)] = []
        if let retryAfter {
            headers.append((.retryAfter, "\(retryAfter.wholeSeconds)"))
            if let quota { headers += quota.headers(retryAfter: retryAfter) }
        }
        if !allow.isEmpty { headers.append((.allow, allow.text)) }
        if code == .notAuthenticated { headers.append(("WWW-Authenticate", "Bearer")) }
        return headers
    }
}

extension Problem {
    /// The problem behind a refusal of the server itself.
    init(_ refusal: RequestRejection) {
        switch refusal {
        case .malformedRequest(let detail):
            self.init(.malformedRequest, detail)
        case .misdirectedRequest(let host):
            self.init(
                .misdirectedRequest,
                "The server does not answer for the host '\(host)'. The setting allowed-hosts adds hosts.",
                members: ["host": .string(host)]
            )
        case .unsupportedTransferCoding:
            self.init(.unsupportedTransferCoding, "The only transfer coding that is understood is chunked.")
        case .unsupportedHTTPVersion:
            self.init(.unsupportedHTTPVersion, "HTTP/1.1 and HTTP/1.0 are understood.")
        case .targetTooLong(let limit):
            self.init(.targetTooLong, "The request target may have \(limit) bytes.", members: ["limit": Value(limit)])
        case .headersTooLarge(let limit):
            self.init(.headersTooLarge, "The header section may have \(limit) bytes.", members: ["limit": Value(limit)])
        case .bodyTooLarge(let limit):
            self.init(.bodyTooLarge, "The body may have \(limit) bytes.", members: ["limit": Value(limit)])
        case .responseTimeout:
            self.init(.answerTimeout, "The event may still be running; GET the page to see what became of it.")
        case .stopping:
            self.init(.unavailable, "The server is stopping.", retryAfter: .seconds(1))
        }
    }

    /// The problem behind an error that a controller or one of its collaborators threw, or `nil` where it is none that a
    /// client may know of.
    init?(_ error: any Error) {
        switch error {
        case let problem as Problem:
            self = problem
        case CollaboratorError.unavailable(let retryAfter):
            self.init(.unavailable, "Something that this needs does not answer.", retryAfter: retryAfter)
        case CollaboratorError.overloaded(let retryAfter):
            self.init(.overloaded, "There is too much to do.", retryAfter: retryAfter)
        case CollaboratorError.tooManyRequests(let retryAfter):
            self.init(.tooManyRequests, "This has been asked too often.", retryAfter: retryAfter)
        case EventError.unknownEvent(let event, let events):
            self.init(
                .unknownEvent,
                "There is no event '\(event.name.clipped)' on this page.",
                members: ["event": .string(event.name.clipped), "events": .array(events.map { .string($0.name) })]
            )
        case EventError.missingField(let field, let fields):
            self.init(
                .missingField,
                "The event reads the field '\(field)', which has not been given.",
                members: ["field": .string(field), "fields": .array(fields.map(Value.string))]
            )
        case EventError.wrongFieldType(let field, let kind, let fields):
            self.init(
                .wrongFieldType,
                "The field '\(field)' has to be a \(kind.rawValue).",
                members: [
                    "field": .string(field), "expected": .string(kind.rawValue),
                    "fields": .array(fields.map(Value.string)),
                ]
            )
        case EventError.valueTooLong(let field, let maximum):
            self.init(
                .valueTooLong,
                "The field '\(field)' may have at most \(maximum) characters.",
                members: ["field": .string(field), "maximum": Value(maximum)]
            )
        default:
            return nil
        }
    }
}
