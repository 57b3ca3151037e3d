package import BusinessLogic
package import HTTPMessages

extension Response {
    /// A JSON response.
    package static func json(_ value: Value, status: Int = 200, common: CommonHeaders? = nil) -> Response {
        Response(status: status, contentType: .json, common: common, body: value.json)
    }

    /// A plain text response.
    package static func text(_ text: String) -> Response {
        Response(status: 200, contentType: .text, body: Array(text.utf8))
    }
}

extension ContentType {
    /// A problem (RFC 9457).
    package static let problem: ContentType = "application/problem+json"
    /// JSON values, one on each line.
    package static let jsonLines: ContentType = "application/jsonl"
    /// YAML (RFC 9512).
    package static let yaml: ContentType = "application/yaml"
}

extension [Method] {
    /// The methods as in the header Allow.
    package var text: String { map(\.rawValue).joined(separator: ", ") }
}

extension CommonHeaders {
    /// The header fields that every response of the service has, with `X-Request-ID`.
    package static let service = CommonHeaders([(.cacheControl, "no-store"), ("X-Content-Type-Options", "nosniff")])
}

extension Response {
    /// Adds the header fields that every response of the service has, unless the response has those of its language.
    package mutating func addCommonHeaders(requestID: String) {
        if common == nil { common = .service }
        self.requestID = requestID
    }
}
