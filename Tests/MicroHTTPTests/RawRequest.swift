@testable import MicroHTTP

/// Bytes that a client sends, and the outcome that RFC 9110, RFC 9112 or a rule of this server requires: 400 unless given.
struct RawRequest: CustomTestStringConvertible, Sendable {
    enum Outcome: Equatable, Sendable, CustomStringConvertible {
        /// The handler gets it, and the connection stays open.
        case accepted(_ target: String = "/", body: String = "")
        /// The handler gets it, and the connection closes.
        case last(_ target: String = "/", body: String = "")
        /// The response has that status, and the connection closes.
        case rejected(Int)
        /// The connection closes, with or without a response.
        case dropped

        static let bad = rejected(400)

        var description: String {
            switch self {
            case .accepted(_, ""): "accepted"
            case .accepted(_, let body): "accepted with the body `\(body)`"
            case .last(_, ""): "accepted, then closed"
            case .last(_, let body):
                "accepted with the body `\(body.debugDescription.dropFirst().dropLast())`, then closed"
            case .rejected(let status): "\(status)"
            case .dropped: "closed"
            }
        }
    }

    /// The section of RFC 9112, or of the RFC that it names.
    let section: String
    /// The request, with one character for each byte.
    let text: String
    /// The outcome with libmicrohttpd 0.9, and with 1.0.
    let outcomes: (from09: Outcome, from10: Outcome)

    init(_ section: String, _ text: String, _ outcome: Outcome = .bad, from10: Outcome? = nil) {
        self.section = section
        self.text = text
        outcomes = (outcome, from10 ?? outcome)
    }

    /// The outcome with the installed libmicrohttpd.
    var outcome: Outcome { isLibraryStrict ? outcomes.from10 : outcomes.from09 }

    /// Whether the handler gets it, and the connection stays open.
    var isAccepted: Bool { if case .accepted = outcome { true } else { false } }

    var bytes: [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

    var testDescription: String { "\(section): \(text.debugDescription) \(outcome)" }

    // MARK: Requests that differ in one part

    /// A request with that first line.
    static func line(_ section: String, _ line: String, _ outcome: Outcome = .bad, from10: Outcome? = nil) -> Self {
        RawRequest(section, "\(line)\r\nHost: a\r\n\r\n", outcome, from10: from10)
    }

    /// A request for that target.
    static func target(_ section: String, _ target: String, _ outcome: Outcome = .bad, from10: Outcome? = nil) -> Self {
        line(section, "GET \(target) HTTP/1.1", outcome, from10: from10)
    }

    /// A request with that Host header.
    static func host(_ section: String, _ value: String, _ outcome: Outcome = .bad, from10: Outcome? = nil) -> Self {
        RawRequest(section, "GET / HTTP/1.1\r\nHost:\(value)\r\n\r\n", outcome, from10: from10)
    }

    /// A request with that header line.
    static func header(_ section: String, _ line: String, _ outcome: Outcome = .bad, from10: Outcome? = nil) -> Self {
        RawRequest(section, "GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n", outcome, from10: from10)
    }

    /// A request with that header line, and a body.
    static func body(
        _ section: String,
        _ line: String,
        _ body: String,
        _ outcome: Outcome = .bad,
        from10: Outcome? = nil
    )
        -> Self
    {
        RawRequest(section, "POST / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n\(body)", outcome, from10: from10)
    }

    /// A request with those bytes for a chunked body.
    static func chunks(_ section: String, _ body: String, _ outcome: Outcome = .bad, from10: Outcome? = nil) -> Self {
        .body(section, "Transfer-Encoding: chunked", body, outcome, from10: from10)
    }
}

/// Whether the installed libmicrohttpd is 1.0, which rejects malformed heads by itself.
let isLibraryStrict = LibraryCheck.installed.isStrict
