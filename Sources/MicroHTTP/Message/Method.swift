/// A request method (RFC 9110, section 9).
public struct Method: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The method as it stands in the request line; methods are case-sensitive.
    public let rawValue: String

    /// The method of that name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The method of that name.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    public var description: String { rawValue }

    /// Whether it is a token, as methods are.
    var isToken: Bool {
        // For speed: most requests have one of these.
        if rawValue == "POST" || rawValue == "GET" { return true }
        return !rawValue.isEmpty && rawValue.utf8.allSatisfy(\.isTokenByte)
    }

    /// GET.
    public static let get: Method = "GET"
    /// HEAD.
    public static let head: Method = "HEAD"
    /// POST.
    public static let post: Method = "POST"
    /// OPTIONS.
    public static let options: Method = "OPTIONS"
    /// CONNECT.
    static let connect: Method = "CONNECT"
    /// DELETE.
    public static let delete: Method = "DELETE"
}
