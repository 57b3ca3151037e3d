import HTTPMessages
import Understudy

extension Request {
    var isReading: Bool { method == .get || method == .head }

    /// Whether the header `Accept` names `text/html`, and prefers it to `application/json` (RFC 9110, section 12.5.1). Programs, which send `*/*` or
    /// no such header, do not.
    var prefersHTML: Bool {
        headers.acceptsMedia { accepted in
            guard let html = accepted.quality(of: "text/html", "application/xhtml+xml"), html > 0 else { return false }
            if let json = accepted.quality(of: "application/json", "application/problem+json") { return html > json }
            // Of two that the client likes equally, it gets the one that it names.
            return html >= accepted.quality(of: "application/*") ?? accepted.quality(of: "*/*") ?? 0
        }
    }
}

extension Response {
    var isProblem: Bool { contentType?.description == "application/problem+json" }
    var isJSON: Bool { contentType?.description == ContentType.json.description }
}
