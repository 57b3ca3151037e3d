package import BusinessLogic
package import HTTPMessages
package import RateLimiting

/// An error response as in RFC 9457.
package struct Problem: Error, Equatable {
    /// Identifies the error.
    package let code: Code
    /// What was received, and what was expected.
    var detail: String?
    /// Further members of the JSON object, for programs.
    var members: Value.Object = [:]
    /// What is wrong with the event's values, if that is the problem.
    private var faults: [FieldFault] = []
    /// The name of the first field with an invalid value, if that is the problem.
    package var field: String? { faults.first?.field }
    /// How long to wait before sending the request again.
    var retryAfter: Duration?
    /// The methods that are allowed at the path.
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

    /// A body that does not have the right shape.
    ///
    /// - Parameter pointer: where in the body (RFC 6901).
    package static func malformedBody(_ detail: String, at pointer: String) -> Problem {
        Problem(.malformedBody, detail, members: ["pointer": .string(pointer)])
    }

    /// The response that reports the problem.
    ///
    /// - Parameters:
    ///   - id: the request's ID.
    ///   - prefix: the service's path prefix.
    ///   - language: the language of the title; `nil` if the service has no translations.
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

    /// The body of the response that reports the problem.
    ///
    /// - Parameters:
    ///   - id: the request's ID.
    ///   - prefix: the service's path prefix.
    ///   - language: the language of the title; `nil` if the service has no translations.
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
    /// The problem that reports a rejection by the engine.
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

    /// - Parameter allowed: the methods that are allowed, including HEAD if GET is.
    package init(methodNotAllowed method: Method, allowed: [Method]) {
        self.init(.methodNotAllowed, "\(method) is not allowed here. Allowed: \(allowed.text).", allow: allowed)
    }

    private init(_ code: Code, _ part: String, limit: Int) {
        self.init(code, "\(part) may have at most \(limit) bytes.", members: ["limit": Value(limit)])
    }

    /// The problem that reports an error of a controller or a collaborator; `nil` if clients must not learn the error.
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
    /// The interval in whole seconds, rounded up.
    package var seconds: Int64 { interval.wholeSeconds }

    /// The header fields `RateLimit-Policy` and `RateLimit` for a client that has used up the rate (draft-ietf-httpapi-ratelimit-headers).
    func headers(retryAfter: Duration) -> [HeaderField] {
        [
            ("RateLimit-Policy", "\"requests\";q=\(count);w=\(seconds)"),
            ("RateLimit", "\"requests\";r=0;t=\(retryAfter.wholeSeconds)"),
        ]
    }
}

extension Duration {
    /// Whole seconds, rounded up, at least 1.
    var wholeSeconds: Int64 {
        let (seconds, attoseconds) = components
        return max(1, seconds + (attoseconds > 0 ? 1 : 0))
    }
}
