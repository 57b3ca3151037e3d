internal import HTTPMessages

/// The form of a request target (RFC 9112, section 3.2).
enum RequestTarget: Equatable {
    /// A path and perhaps a query: the whole text.
    case origin
    /// A server, a path and a query. Each of them may be missing.
    case absolute(authority: Bytes, rest: Bytes)
    /// The server itself.
    case asterisk
    /// Any other form, including that of CONNECT, because this server is not a proxy.
    case other

    /// Part of a target. Compared as bytes, because a client can choose characters that are slow to compare as text.
    typealias Bytes = ArraySlice<UInt8>

    init(_ text: String) {
        let bytes = text.utf8
        if bytes.first == UInt8(ascii: "/") {
            self = .origin
        } else if bytes.elementsEqual("*".utf8) {
            self = .asterisk
        } else {
            self = Self.absolute(ArraySlice(bytes)) ?? .other
        }
    }

    private static func absolute(_ text: Bytes) -> RequestTarget? {
        let schemes = ["http://", "https://"].map(\.utf8)
        guard let scheme = schemes.first(where: { text.prefix($0.count).equalsIgnoringCase($0) }) else { return nil }
        let server = text.dropFirst(scheme.count)
        let authority = server.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        return .absolute(authority: authority, rest: server[authority.endIndex...])
    }
}
