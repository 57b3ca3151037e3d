/// What a request target names (RFC 9112, section 3.2).
enum RequestTarget: Equatable {
    /// A path and perhaps a query: the whole text.
    case origin
    /// A server, and what is asked of it: path and query, of which either may be missing.
    case absolute(authority: Substring, rest: Substring)
    /// The server as such.
    case asterisk
    /// None of these. So are the targets of CONNECT: this is no proxy.
    case other

    init(_ text: String) {
        if text.utf8.first == UInt8(ascii: "/") {
            self = .origin
        } else if text == "*" {
            self = .asterisk
        } else {
            self = Self.absolute(text) ?? .other
        }
    }

    private static func absolute(_ text: String) -> RequestTarget? {
        guard let colon = text.firstIndex(of: ":"), ["http", "https"].contains(text[..<colon].lowercased()),
            text[colon...].hasPrefix("://")
        else { return nil }
        let server = text[colon...].dropFirst("://".count)
        let authority = server.prefix { $0 != "/" && $0 != "?" }
        return .absolute(authority: authority, rest: server[authority.endIndex...])
    }
}
