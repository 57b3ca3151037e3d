package import BusinessLogic
package import HTTPMessages

extension Response {
    package static func json(_ value: Value, status: Int = 200, common: CommonHeaders? = nil) -> Response {
        Response(status: status, contentType: .json, common: common, body: value.json)
    }

    package static func text(_ text: String) -> Response {
        Response(status: 200, contentType: .text, body: Array(text.utf8))
    }
}

extension ContentType {
    /// RFC 9457.
    package static let problem: ContentType = "application/problem+json"
    package static let jsonLines: ContentType = "application/jsonl"
    /// RFC 9512.
    package static let yaml: ContentType = "application/yaml"
}

extension [Method] {
    package var text: String { map(\.rawValue).joined(separator: ", ") }
}

extension CommonHeaders {
    /// Every response of the service has them, with `X-Request-ID`.
    package static let service = CommonHeaders([(.cacheControl, "no-store"), ("X-Content-Type-Options", "nosniff")])
}

extension Response {
    /// Does not replace the header fields of a response's language.
    package mutating func addCommonHeaders(requestID: String) {
        if common == nil { common = .service }
        self.requestID = requestID
    }
}
