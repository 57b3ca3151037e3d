import BusinessLogic
import MicroHTTP

/// A header or query parameter that a request may contain.
enum Parameter: String, CaseIterable {
    case idempotencyKey = "IdempotencyKey"
    case prefer = "Prefer"
    case deviceToken = "DeviceToken"
    case lastEventID = "LastEventID"
    case since = "Since"

    var reference: Value { .reference("parameters", rawValue) }

    /// The value of the parameter, as a component of the document.
    var value: Value {
        switch self {
        case .idempotencyKey:
            [
                "name": "Idempotency-Key",
                "in": "header",
                "description": """
                Makes it safe to send the same event again. Within a session, the same key with the same body gets the \
                first response again, and nothing runs twice. A session keeps its last 16 keys. For a minute after a \
                login, the token or cookie that the login has replaced also gets the login's response again.
                """,
                "schema": [
                    "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]([ -~]*[!-~])?$",
                ],
                "example": "4f1c2d0a-8f1e-4d55-9a53-0a7e8f1b2c3d",
            ]
        case .prefer:
            [
                "name": "Prefer",
                "in": "header",
                "description": """
                With `return=minimal` (RFC 7240), `commands` in the response is empty. The header `Preference-Applied` \
                confirms it. The server ignores other preferences.
                """,
                "schema": ["type": "string"],
                "example": "return=minimal",
            ]
        case .deviceToken:
            [
                "name": "Device-Token",
                "in": "header",
                "description": """
                The `deviceToken` from the last login on this device, for clients without cookies. On a known device, a \
                user can log in while others guess the password. The server ignores an unknown or expired token.
                """,
                "schema": ["type": "string"],
            ]
        case .lastEventID:
            [
                "name": "Last-Event-ID",
                "in": "header",
                "description": """
                Continues a stream that has broken off, together with its `Idempotency-Key`: the `id` of the last event that the \
                client has received, a number. The server ignores it if the client does not ask for a stream.
                """,
                "schema": ["type": "string"],
            ]
        case .since:
            [
                "name": "since",
                "in": "query",
                "description": """
                The number of the last command that the client has. Without it, the response contains all commands that \
                the session keeps.
                """,
                "schema": .object(Value.Object(integerFrom: 0)),
            ]
        }
    }
}

extension Value.Object {
    /// The schema of an integer of 64 bits that is at least `minimum`.
    fileprivate init(integerFrom minimum: Int) {
        self.init(scalar: "integer")
        self["minimum"] = Value(minimum)
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
        description: "`true` if this is the response to an earlier request with the same Idempotency-Key.",
        schema: ["type": "string"]
    )
    static let preferenceApplied = ResponseHeader(
        name: "Preference-Applied",
        description: "`return=minimal` if the response contains no commands because the request prefers that.",
        schema: ["type": "string"]
    )
    static let contentLanguage = ResponseHeader(
        name: "Content-Language",
        description: "The language of the texts, if the service has translations and the response contains a text.",
        schema: ["type": "string"]
    )
    static let vary = ResponseHeader(
        name: "Vary",
        description: "The request headers on which the response depends, such as `Accept-Language`.",
        schema: ["type": "string"]
    )
    /// The headers of a response that can contain texts in several languages.
    static let ofTexts = [contentLanguage, vary]
    static let setCookie = ResponseHeader(
        name: "Set-Cookie",
        description: """
            The session's cookie, if the session is new, if a user has logged in or out, or if the session has ended. \
            After a login to an account, also the cookie of the device, which shows for 400 days that the user has \
            logged in on this device before. Clients with a bearer token get no cookies.
            """,
        schema: ["type": "string"]
    )
    static let remoteUser = ResponseHeader(
        name: "Remote-User",
        description: """
            The name of the logged-in user, for a reverse proxy. Percent-encoded (RFC 3986, section 2.1), except for \
            visible ASCII characters without `%`.
            """,
        schema: ["type": "string"]
    )
    static let retryAfter = ResponseHeader(
        name: "Retry-After",
        description: "The number of seconds to wait before sending the request again.",
        schema: WireSchema.number("A duration in seconds.", minimum: 1)
    )
    static let rateLimitPolicy = ResponseHeader(
        name: "RateLimit-Policy",
        description: """
            The maximum number of requests from one address (`q`) in an interval of `w` seconds, as in \
            draft-ietf-httpapi-ratelimit-headers. Present if this limit was exceeded.
            """,
        schema: ["type": "string"]
    )
    static let rateLimit = ResponseHeader(
        name: "RateLimit",
        description: "The number of remaining requests (`r`), and the number of seconds until the next one (`t`).",
        schema: ["type": "string"]
    )
    static let authenticate = ResponseHeader(
        name: "WWW-Authenticate",
        description: "`Bearer`: send a token as `Authorization: Bearer TOKEN`.",
        schema: ["type": "string"]
    )

    /// The headers of every response.
    static let common =
        [
            ResponseHeader(
                name: "X-Request-ID",
                description: """
                    The ID of the request, which the server's log contains. It is that of the request's `X-Request-ID` if \
                    that has 1 to 64 of the characters `A-Z a-z 0-9 . _ -`.
                    """,
                schema: ["type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"]
            )
        ]
        + CommonHeaders.service.fields.map {
            ResponseHeader(
                name: $0.name.description,
                description: "The same in every response.",
                schema: ["type": "string", "const": .string($0.value)]
            )
        }

    /// All headers, as components of the document.
    static var components: Value.Object {
        var components: Value.Object = [:]
        for header in common + [
            contentLanguage, vary, idempotencyReplayed, preferenceApplied, setCookie, remoteUser, retryAfter,
            rateLimitPolicy, rateLimit,
            authenticate,
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

    /// The two ways in which a client names its session.
    ///
    /// - Parameter cookieName: the name of the session's cookie.
    static func schemes(cookieName: String) -> Value {
        [
            "session": [
                "type": "apiKey",
                "in": "cookie",
                "name": .string(cookieName),
                "description": """
                The cookie from the response to the first event. Over https it is named `__Host-session`, or \
                `__Secure-session` if the service has a path prefix; otherwise `session`. A request with an unknown or \
                expired cookie starts another session.
                """,
            ],
            "bearer": [
                "type": "http",
                "scheme": "bearer",
                "description": """
                The token from `POST /session`, for clients without cookies. A request with an unknown or expired token \
                gets 401.
                """,
            ],
        ]
    }

    var value: Value {
        switch self {
        case .none: []
        case .optional: [[:], ["session": []], ["bearer": []]]
        case .required: [["session": []], ["bearer": []]]
        }
    }
}
