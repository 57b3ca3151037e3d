/// A request method (RFC 9110, section 9).
public struct Method: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The method as in the request line. Methods are case-sensitive.
    public let rawValue: String

    /// Creates the method with that name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates the method with that name.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    public var description: String { rawValue }

    /// Whether the name is a token, as RFC 9110 requires of a method.
    package var isToken: Bool {
        // For speed: most requests have one of these.
        if rawValue == "POST" || rawValue == "GET" { return true }
        return !rawValue.isEmpty && rawValue.utf8.allSatisfy(\.isTokenByte)
    }

    // Computed, so that each is a constant in the compiled code.
    /// GET.
    public static var get: Method { "GET" }
    /// HEAD.
    public static var head: Method { "HEAD" }
    /// POST.
    public static var post: Method { "POST" }
    /// OPTIONS.
    public static var options: Method { "OPTIONS" }
    package static var connect: Method { "CONNECT" }
    /// DELETE.
    public static var delete: Method { "DELETE" }
}
