package import BusinessLogic
package import HTTPMessages
package import RateLimiting

/// An error response as in RFC 9457.
package struct Problem: Error, Equatable {
    package let code: Code
    var detail: String?
    var members: Value.Object = [:]
    /// Empty unless the event's values are the problem.
    private var faults: [FieldFault] = []
    /// `nil` unless the event's values are the problem.
    package var field: String? { faults.first?.field }
    var retryAfter: Duration?
    var allow: [Method] = []
    /// How many requests the client may send, if it has sent more.
    var quota: Rate?

    package init(
        _ code: Code,
        _ detail: String? = nil,
        members: Value.Object = [:],
        retryAfter: Duration? = nil,
        allow: [Method] = [],
        quota: Rate? = nil
    ) {
        self.code = code
        self.detail = detail
        self.members = members
        self.retryAfter = retryAfter
        self.allow = allow
        self.quota = quota
    }

    /// The body does not have the right shape at that pointer (RFC 6901).
    package static func malformedBody(_ detail: String, at pointer: String) -> Problem {
        Problem(.malformedBody, detail, members: ["pointer": .string(pointer)])
    }

    /// The language is that of the title; `nil` if the service has no translations.
    package func response(id: String, below prefix: PathPrefix = PathPrefix(), in language: Language? = nil) -> Response
    {
        Response(
            status: code.status,
            contentType: .problem,
            common: language?.headers,
            headers: headers,
            body: body(id: id, below: prefix, in: language).json
        )
    }

    /// See ``response(id:below:in:)``.
    package func body(id: String, below prefix: PathPrefix, in language: Language? = nil) -> Value {
        var object: Value.Object = [
            "type": .string("\(prefix)/problems/\(code.rawValue)"),
            "title": .string(language.map { $0.context.text(of: code.message) } ?? code.title),
            "status": Value(code.status),
        ]
        object["detail"] = detail.map(Value.string)
        object["code"] = .string(code.rawValue)
        for (name, value) in members { object[name] = value }
        if !faults.isEmpty {
            let context = language?.context ?? ResponseContext.recording
            object["errors"] = .array(faults.map { $0.value(context) })
        }
        object["requestID"] = .string(id)
        return .object(object)
    }

    private var headers: [HeaderField] {
        var headers: [HeaderField] = []
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
    package init(_ rejection: RequestRejection) {
        switch rejection {
        case .malformedRequest(let detail):
            self.init(.malformedRequest, detail)
        case .misdirectedRequest(let host):
            self.init(
                .misdirectedRequest,
                "The server does not serve the host '\(host)'. The setting allowed-hosts adds hosts.",
                members: ["host": .string(host)]
            )
        case .unsupportedTransferCoding:
            self.init(.unsupportedTransferCoding, "The server supports only the transfer coding chunked.")
        case .unsupportedHTTPVersion:
            self.init(.unsupportedHTTPVersion, "The server supports HTTP/1.1 and HTTP/1.0.")
        case .targetTooLong(let limit): self.init(.targetTooLong, "The request target", limit: limit)
        case .headersTooLarge(let limit):
            self.init(
                .headersTooLarge,
                "The header section may have at most \(limit) bytes, in some 100 fields and cookies.",
                members: ["limit": Value(limit)]
            )
        case .bodyTooLarge(let limit): self.init(.bodyTooLarge, "The body", limit: limit)
        case .responseTimeout:
            self.init(.answerTimeout, "The event may still be running; GET the page to see its current state.")
        case .stopping:
            self.init(.unavailable, "The server is stopping.", retryAfter: .seconds(1))
        }
    }

    /// The allowed methods include HEAD if GET is allowed.
    package init(methodNotAllowed method: Method, allowed: [Method]) {
        self.init(.methodNotAllowed, "\(method) is not allowed here. Allowed: \(allowed.text).", allow: allowed)
    }

    private init(_ code: Code, _ part: String, limit: Int) {
        self.init(code, "\(part) may have at most \(limit) bytes.", members: ["limit": Value(limit)])
    }

    /// `nil` if clients must not learn the error.
    package init?(_ error: any Error) {
        switch error {
        case let problem as Problem:
            self = problem
        case CollaboratorError.unavailable(let retryAfter, let part):
            self.init(
                .unavailable,
                part.map { "The event needs the part '\($0)' of the service, which is unavailable." }
                    ?? "A service that this event needs is unavailable.",
                members: part.map { ["part": .string($0)] } ?? [:],
                retryAfter: retryAfter
            )
        case CollaboratorError.overloaded(let retryAfter):
            self.init(.overloaded, "The server has too much work.", retryAfter: retryAfter)
        case CollaboratorError.tooManyRequests(let retryAfter):
            self.init(.tooManyRequests, "The client has done this too often.", retryAfter: retryAfter)
        case EventError.unknownEvent(let event, let events):
            self.init(
                .unknownEvent,
                "There is no event '\(event.name.clipped)' on this page.",
                members: ["event": .string(event.name.clipped), "events": .array(events.map { .string($0.name) })]
            )
        case EventError.invalidFields(let faults, let fields):
            guard let first = faults.first else { return nil }
            self.init(first.code, first.explanation, members: first.members(fields: fields))
            self.faults = faults
        default:
            return nil
        }
    }
}

extension Rate {
    /// Rounded up.
    package var seconds: Int64 { interval.wholeSeconds }

    /// `RateLimit-Policy` and `RateLimit` for a client that has used up the rate (draft-ietf-httpapi-ratelimit-headers).
    func headers(retryAfter: Duration) -> [HeaderField] {
        [
            ("RateLimit-Policy", "\"requests\";q=\(count);w=\(seconds)"),
            ("RateLimit", "\"requests\";r=0;t=\(retryAfter.wholeSeconds)"),
        ]
    }
}

extension Duration {
    /// Rounded up, at least 1.
    var wholeSeconds: Int64 {
        let (seconds, attoseconds) = components
        return max(1, seconds + (attoseconds > 0 ? 1 : 0))
    }
}
