import BusinessLogic
import HTTPMessages

extension Response {
    /// A JSON response.
    static func json(_ value: Value, status: Int = 200, common: CommonHeaders? = nil) -> Response {
        Response(status: status, contentType: .json, common: common, body: value.json)
    }

    /// A plain text response.
    static func text(_ text: String) -> Response {
        Response(status: 200, contentType: .text, body: Array(text.utf8))
    }
}

extension ContentType {
    /// A problem (RFC 9457).
    static let problem: ContentType = "application/problem+json"
    /// JSON values, one on each line.
    static let jsonLines: ContentType = "application/jsonl"
    /// YAML (RFC 9512).
    static let yaml: ContentType = "application/yaml"
}

extension [Method] {
    /// The methods as in the header Allow.
    var text: String { map(\.rawValue).joined(separator: ", ") }
}
