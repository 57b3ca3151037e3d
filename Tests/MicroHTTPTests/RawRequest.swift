import Testing

/// Bytes that a client sends, and what RFC 9110 and RFC 9112, or a rule of this server's own, want to become of them.
struct RawRequest: CustomTestStringConvertible, Sendable {
    enum Outcome: Equatable, Sendable {
        /// The handler gets it, and the connection is kept.
        case accepted(_ target: String = "/", body: String = "")
        /// The handler gets it, and the connection closes.
        case last(_ target: String = "/", body: String = "")
        /// The answer has that status, and the connection closes.
        case refused(Int)
        /// The connection closes, with an answer or without.
        case dropped
    }

    /// Where it says so.
    let section: String
    /// A character for each byte.
    let text: String
    let outcome: Outcome

    init(_ section: String, _ text: String, _ outcome: Outcome) {
        self.section = section
        self.text = text
        self.outcome = outcome
    }

    var bytes: [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

    var testDescription: String { "\(section): \(text.debugDescription) \(outcome)" }

    // MARK: Most of it is always the same

    /// A request with that first line.
    static func line(_ section: String, _ line: String, _ outcome: Outcome) -> RawRequest {
        RawRequest(section, "\(line)\r\nHost: a\r\n\r\n", outcome)
    }

    /// A request for that target.
    static func target(_ section: String, _ target: String, _ outcome: Outcome) -> RawRequest {
        line(section, "GET \(target) HTTP/1.1", outcome)
    }

    /// A request with that Host header.
    static func host(_ section: String, _ value: String, _ outcome: Outcome) -> RawRequest {
        RawRequest(section, "GET / HTTP/1.1\r\nHost:\(value)\r\n\r\n", outcome)
    }

    /// A request with that header line.
    static func header(_ section: String, _ line: String, _ outcome: Outcome) -> RawRequest {
        RawRequest(section, "GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n", outcome)
    }

    /// A request with that header line, and a body.
    static func body(_ section: String, _ line: String, _ body: String, _ outcome: Outcome) -> RawRequest {
        RawRequest(section, "POST / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n\(body)", outcome)
    }

    /// A request with those bytes for a chunked body.
    static func chunks(_ section: String, _ body: String, _ outcome: Outcome) -> RawRequest {
        .body(section, "Transfer-Encoding: chunked", body, outcome)
    }
}
