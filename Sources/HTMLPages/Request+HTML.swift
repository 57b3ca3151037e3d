import HTTPMessages
import Understudy

extension Request {
    var isReading: Bool { method == .get || method == .head }

    /// Whether the header `Accept` prefers `text/html` to `application/json` (RFC 9110, section 12.5.1). Programs, which send `*/*` or no such
    /// header, do not.
    var prefersHTML: Bool {
        headers.withAcceptedMedia { accepted in
            let html = accepted.quality(of: "text/html", "application/xhtml+xml")
            return html > 0 && html > accepted.quality(of: "application/json", "application/problem+json")
        } ?? false
    }
}

extension Response {
    var isProblem: Bool { contentType?.description == "application/problem+json" }
    var isJSON: Bool { contentType?.description == ContentType.json.description }
}
