import BusinessLogic
import MicroHTTP

/// A header or query parameter that a request may contain.
enum Parameter: String, CaseIterable {
    case requestID = "RequestID"
    case idempotencyKey = "IdempotencyKey"
    case since = "Since"
    case deviceToken = "DeviceToken"

    var reference: Value { .reference("parameters", rawValue) }

    /// All parameters, as components of the document.
    static var components: Value.Object {
        var components: Value.Object = [:]
        for parameter in allCases { components[parameter.rawValue] = parameter.value }
        return components
    }

    private var value: Value {
        switch self {
        case .requestID:
            [
                "name": "X-Request-ID",
                "in": "header",
                "description": """
                Names the request in the answer and in the log. One that does not have the right form is passed over, \
                and the server gives the request a name of its own.
                """,
                "schema": ["type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"],
            ]
        case .idempotencyKey:
            [
                "name": "Idempotency-Key",
                "in": "header",
                "description": """
                Makes it safe to send the same event again. Within a session the same key with the same body gives \
                the first answer again, and nothing runs twice. The last 16 keys of a session are kept. A login's answer \
                is given again for a minute also to the token or cookie that the login has replaced.
                """,
                "schema": ["type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"],
            ]
        case .deviceToken:
            [
                "name": "Device-Token",
                "in": "header",
                "description": """
                The `deviceToken` of the last login on this device, for clients without cookies: from a known device, a \
                user can log in while others guess the password. One that is unknown or has expired is ignored.
                """,
                "schema": ["type": "string", "minLength": 1, "maxLength": 256, "pattern": "^[!-~]+$"],
            ]
        case .since:
            [
                "name": "since",
                "in": "query",
                "description": "The sequence number after which the commands are wanted.",
                "schema": ["type": "integer", "minimum": 0, "default": 0],
            ]
        }
    }
}

/// A header that a response may contain.
struct ResponseHeader {
    let name: String
    let description: String
    let schema: Value

    var reference: Value { .reference("headers", name) }

    static let idempotencyReplayed = ResponseHeader(
        name: "Idempotency-Replayed",
        description: "The answer was given before, to the same Idempotency-Key; nothing ran this time.",
        schema: ["type": "string", "const": "true"]
    )
    static let setCookie = ResponseHeader(
        name: "Set-Cookie",
        description: """
            The session's cookie: when the answer starts a session, and when the session's id changes because somebody \
            has logged in. It is called `session`; where the public address is https, `__Host-session`, or \
            `__Secure-session` if the service has a path prefix. When the session ends, the cookie is made to expire. A \
            login of an account also sets `device`, prefixed in the same way, which shows for 400 days that its user has \
            logged in on this device before.
            """,
        schema: ["type": "string"]
    )
    static let remoteUser = ResponseHeader(
        name: "Remote-User",
        description: """
            The username of whoever is logged in, for a reverse proxy to hand on; what is no visible ASCII, and `%`, is \
            percent-encoded (RFC 3986, section 2.1).
            """,
        schema: ["type": "string"]
    )
    static let retryAfter = ResponseHeader(
        name: "Retry-After",
        description: "After how many seconds to try again.",
        schema: ["type": "integer", "minimum": 1]
    )
    static let rateLimitPolicy = ResponseHeader(
        name: "RateLimit-Policy",
        description: """
            How many requests (`q`) there may be from one address in how many seconds (`w`), as in \
            draft-ietf-httpapi-ratelimit-headers; there where that limit is the reason.
            """,
        schema: ["type": "string"]
    )
    static let rateLimit = ResponseHeader(
        name: "RateLimit",
        description: "How many requests are left (`r`), and after how many seconds there is another (`t`).",
        schema: ["type": "string"]
    )
    static let authenticate = ResponseHeader(
        name: "WWW-Authenticate",
        description: "How to say who one is.",
        schema: ["type": "string", "const": "Bearer"]
    )

    /// The headers of every response.
    static let common =
        [
            ResponseHeader(
                name: "X-Request-ID",
                description: "The request's name: the client's own, where that has the right form.",
                schema: ["type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"]
            )
        ]
        + CommonHeaders.service.fields.map {
            ResponseHeader(
                name: $0.name.description,
                description: "The same for every answer.",
                schema: ["type": "string", "const": .string($0.value)]
            )
        }

    /// All headers, as components of the document.
    static var components: Value.Object {
        var components: Value.Object = [:]
        for header in common + [
            idempotencyReplayed, setCookie, remoteUser, retryAfter, rateLimitPolicy, rateLimit, authenticate,
        ] {
            components[header.name] = ["description": .string(header.description), "schema": header.schema]
        }
        return components
    }

    /// The member `headers` of a response that contains the common headers and these.
    static func references(_ headers: [ResponseHeader] = []) -> Value {
        var references: Value.Object = [:]
        for header in common + headers { references[header.name] = header.reference }
        return .object(references)
    }
}

/// Whether an operation uses the client's session.
enum Security {
    case none, optional, required

    static let schemes: Value = [
        "session": [
            "type": "apiKey",
            "in": "cookie",
            "name": "session",
            "description": """
            The cookie that the first event's answer sets. Where the public address is https, it is called \
            `__Host-session`, or `__Secure-session` if the service has a path prefix. An unknown or expired one counts \
            as none.
            """,
        ],
        "bearer": [
            "type": "http",
            "scheme": "bearer",
            "description":
                "The token from `POST /session`, for clients without cookies. An unknown or expired one is refused.",
        ],
    ]

    var value: Value {
        switch self {
        case .none: []
        case .optional: [[:], ["session": []], ["bearer": []]]
        case .required: [["session": []], ["bearer": []]]
        }
    }
}
