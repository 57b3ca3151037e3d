internal import Glibc

/// The name of a header field: a token (RFC 9110, section 5.6.2), compared without regard to case (section 5.1).
///
/// Write it as a literal, `"Content-Type"` or `"content-type"`, or use a constant such as ``contentType``. A literal that is not a
/// token ends the process.
///
/// Not `HTTPField.Name` of swift-http-types: that package keeps each name and value as a `String`, and finds fields by hashing.
/// With eight fields and nine look-ups a request, this would cost 4.8 microseconds (docs/architecture.md).
public struct HeaderName: Sendable, ExpressibleByStringLiteral {
    private enum Text {
        case literal(StaticString)
        case copy(String)
    }

    private let text: Text

    /// The name that a literal contains.
    ///
    /// - Precondition: it is a token.
    public init(stringLiteral name: StaticString) {
        precondition(name.withUTF8Buffer(Self.isToken), "a header field cannot be named '\(name)'")
        text = .literal(name)
    }

    /// The name in a text; `nil` if the text is not a token.
    public init?(_ name: String) {
        var name = name
        guard name.withUTF8(Self.isToken) else { return nil }
        text = .copy(name)
    }

    /// For the optimiser: a name that is not checked is a constant in the compiled code, which names on an event's path must be.
    /// A test checks them.
    package init(constant name: StaticString) {
        text = .literal(name)
    }

    private static func isToken(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(\.isTokenByte)
    }

    /// How many bytes the name has.
    var count: Int {
        switch text {
        case .literal(let name): name.utf8CodeUnitCount
        case .copy(let name): name.utf8.count
        }
    }

    /// Whether these bytes, as many as the name has, are the name.
    func equals(_ bytes: UnsafePointer<UInt8>) -> Bool {
        switch text {
        case .literal(let name): strncasecmp(bytes, name.utf8Start, name.utf8CodeUnitCount) == 0
        case .copy(let name): strncasecmp(bytes, name, name.utf8.count) == 0
        }
    }

    /// Calls `body` with the name as a C string.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        switch text {
        case .literal(let name): body(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))
        case .copy(let name): name.withCString(body)
        }
    }
}

extension HeaderName: Equatable, CustomStringConvertible {
    public static func == (one: HeaderName, other: HeaderName) -> Bool {
        one.description.utf8.equalsIgnoringCase(other.description.utf8)
    }

    /// The name as it was written.
    public var description: String {
        switch text {
        case .literal(let name): name.description
        case .copy(let name): name
        }
    }
}

extension HeaderName {
    // Computed, so that the compiler replaces each by its value, in other modules as well.
    /// `Allow`.
    public static var allow: HeaderName { HeaderName(constant: "Allow") }
    /// `Authorization`.
    public static var authorization: HeaderName { HeaderName(constant: "Authorization") }
    /// `Cache-Control`.
    public static var cacheControl: HeaderName { HeaderName(constant: "Cache-Control") }
    /// `Content-Length`.
    public static var contentLength: HeaderName { HeaderName(constant: "Content-Length") }
    /// `Content-Type`.
    public static var contentType: HeaderName { HeaderName(constant: "Content-Type") }
    /// `Cookie`.
    public static var cookie: HeaderName { HeaderName(constant: "Cookie") }
    /// `Expect`.
    public static var expect: HeaderName { HeaderName(constant: "Expect") }
    /// `Forwarded`.
    public static var forwarded: HeaderName { HeaderName(constant: "Forwarded") }
    /// `Host`.
    public static var host: HeaderName { HeaderName(constant: "Host") }
    /// `Origin`.
    public static var origin: HeaderName { HeaderName(constant: "Origin") }
    /// `Retry-After`.
    public static var retryAfter: HeaderName { HeaderName(constant: "Retry-After") }
    /// `Sec-Fetch-Site`.
    public static var secFetchSite: HeaderName { HeaderName(constant: "Sec-Fetch-Site") }
    /// `Set-Cookie`.
    public static var setCookie: HeaderName { HeaderName(constant: "Set-Cookie") }
    /// `Transfer-Encoding`.
    public static var transferEncoding: HeaderName { HeaderName(constant: "Transfer-Encoding") }
    /// `Vary`.
    public static var vary: HeaderName { HeaderName(constant: "Vary") }
    /// `X-Forwarded-For`.
    public static var xForwardedFor: HeaderName { HeaderName(constant: "X-Forwarded-For") }
    /// `X-Request-ID`: the ID of a request, by which it is found in logs.
    public static var xRequestID: HeaderName { HeaderName(constant: "X-Request-ID") }
}
