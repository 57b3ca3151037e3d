package import BusinessLogic
import HTTPMessages
import UnderstudyPages

/// A header or query parameter that a request may contain.
package enum Parameter: String {
    case idempotencyKey = "IdempotencyKey"
    case prefer = "Prefer"
    case deviceToken = "DeviceToken"
    case lastEventID = "LastEventID"
    case since = "Since"

    package var reference: Value { .reference("parameters", rawValue) }
}

/// A header that a response may contain.
package enum ResponseHeader: String {
    case idempotencyReplayed = "Idempotency-Replayed"
    case preferenceApplied = "Preference-Applied"
    case contentLanguage = "Content-Language"
    case vary = "Vary"
    case setCookie = "Set-Cookie"
    case remoteUser = "Remote-User"
    case retryAfter = "Retry-After"
    case rateLimitPolicy = "RateLimit-Policy"
    case rateLimit = "RateLimit"
    case authenticate = "WWW-Authenticate"

    /// The headers of a response that can contain texts in several languages.
    package static let ofTexts = [contentLanguage, vary]

    /// The headers of every response, as components of the document.
    private static var common: Value.Object {
        var components: Value.Object = ["X-Request-ID": WireSchema.part("headers")["X-Request-ID"] ?? .null]
        for field in CommonHeaders.service.fields {
            components[field.name.description] = [
                "description": "The same in every response.",
                "schema": ["type": "string", "const": .string(field.value)],
            ]
        }
        return components
    }

    /// All headers, as components of the document.
    static var components: Value.Object {
        var components = common
        for (name, header) in WireSchema.part("headers") { components[name] = header }
        return components
    }

    /// The member `headers` of a response that contains the common headers and these.
    static func references(_ headers: [ResponseHeader] = []) -> Value {
        var references: Value.Object = [:]
        for name in common.map(\.name) + headers.map(\.rawValue) { references[name] = .reference("headers", name) }
        return .object(references)
    }
}

/// Whether an operation uses the client's session.
package enum Security {
    case none, optional, required

    package var value: Value {
        switch self {
        case .none: []
        case .optional: [[:], ["session": []], ["bearer": []]]
        case .required: [["session": []], ["bearer": []]]
        }
    }
}
