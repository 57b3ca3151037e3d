/// A header field of a request or a response.
public typealias HeaderField = (name: HeaderName, value: String)

/// The name of a header field: a token (RFC 9110, section 5.6.2), compared without regard to case (section 5.1).
///
/// Write it as a literal, `"Content-Type"` or `"content-type"`, or use a constant such as ``contentType``. A literal that is not a
/// token ends the process.
///
/// This is not `HTTPField.Name` of swift-http-types, because that package stores each name and value as a `String`, and finds fields by
/// hashing. To read eight fields and find nine takes it 4.8 microseconds longer (docs/architecture.md).
public struct HeaderName: Sendable, ExpressibleByStringLiteral {
    @usableFromInline
    enum Text: Sendable {
        case constant(StaticString, lowercase: StaticString)
        case literal(StaticString)
        case copy(String)
    }

    @usableFromInline
    let text: Text

    /// Creates the name that a literal contains.
    ///
    /// - Precondition: the literal is a token.
    public init(stringLiteral name: StaticString) {
        guard name.withUTF8Buffer(Self.isToken) else { fatalError("a header field cannot be named '\(name)'") }
        text = .literal(name)
    }

    /// Creates a name from text; `nil` if the text is not a token.
    public init?(_ name: String) {
        var name = name
        guard name.withUTF8(Self.isToken) else { return nil }
        text = .copy(name)
    }

    /// Creates a name without checking it, so that it is a constant in the compiled code. A test checks all of them.
    ///
    /// Names on an event's path must be created like this: ``Headers`` compares `lowercase` byte by byte.
    @inlinable
    package init(constant name: StaticString, lowercase: StaticString) {
        text = .constant(name, lowercase: lowercase)
    }

    private static func isToken(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(\.isTokenByte)
    }

    /// One of 64 bits, chosen by the length and the last two bytes. Names that are equal but for case have the same.
    @inlinable
    @inline(__always)
    var bit: UInt64 { 1 &<< UInt64(bitNumber) }

    /// From 0 to 63.
    @inlinable
    @inline(__always)
    var bitNumber: Int {
        switch text {
        case .constant(_, let name), .literal(let name):
            Self.bitNumber(of: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        case .copy(let name): Self.bitNumber(of: name)
        }
    }

    @inlinable
    @inline(__always)
    static func bitNumber(of name: UnsafeBufferPointer<UInt8>) -> Int {
        guard let last = name.last else { return 0 }
        let previous = name.count > 1 ? name[name.count &- 2] : 0
        // The bit 0x20 is the only difference between a capital and a small letter. With these factors, the names that clients send and
        // those that the service looks for have different bits.
        return (name.count &+ 10 &* Int(last | 0x20) &+ 31 &* Int(previous | 0x20)) & 63
    }

    @usableFromInline
    static func bitNumber(of name: String) -> Int {
        var name = name
        return name.withUTF8 { bitNumber(of: $0) }
    }

    /// `nil` if the name is no literal. Names with the same address are the same.
    package var address: UnsafePointer<UInt8>? {
        switch text {
        case .constant(let name, _), .literal(let name): name.utf8Start
        case .copy: nil
        }
    }

    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        switch text {
        case .constant(let name, _), .literal(let name):
            body(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))
        case .copy(let name): name.withCString(body)
        }
    }
}

extension HeaderName: Equatable, CustomStringConvertible {
    public static func == (one: HeaderName, other: HeaderName) -> Bool {
        // For speed: nearly all names that differ have different numbers.
        one.bitNumber == other.bitNumber && one.description.utf8.equalsIgnoringCase(other.description.utf8)
    }

    /// The name as it was written.
    public var description: String {
        switch text {
        case .constant(let name, _), .literal(let name): name.description
        case .copy(let name): name
        }
    }
}

extension HeaderName {
    // Computed and inlined, so that the compiler replaces each by its value, and its bit by a constant, in other modules as well.
    /// `Allow`.
    @inlinable
    public static var allow: HeaderName { HeaderName(constant: "Allow", lowercase: "allow") }
    /// `Authorization`.
    @inlinable
    public static var authorization: HeaderName { HeaderName(constant: "Authorization", lowercase: "authorization") }
    /// `Cache-Control`.
    @inlinable
    public static var cacheControl: HeaderName { HeaderName(constant: "Cache-Control", lowercase: "cache-control") }
    @inlinable
    package static var contentLength: HeaderName { HeaderName(constant: "Content-Length", lowercase: "content-length") }
    /// `Content-Type`.
    @inlinable
    public static var contentType: HeaderName { HeaderName(constant: "Content-Type", lowercase: "content-type") }
    /// `Cookie`.
    @inlinable
    public static var cookie: HeaderName { HeaderName(constant: "Cookie", lowercase: "cookie") }
    @inlinable
    package static var deviceToken: HeaderName { HeaderName(constant: "Device-Token", lowercase: "device-token") }
    @inlinable
    package static var expect: HeaderName { HeaderName(constant: "Expect", lowercase: "expect") }
    /// `Host`.
    @inlinable
    public static var host: HeaderName { HeaderName(constant: "Host", lowercase: "host") }
    @inlinable
    package static var idempotencyKey: HeaderName {
        HeaderName(constant: "Idempotency-Key", lowercase: "idempotency-key")
    }
    @inlinable
    package static var lastEventID: HeaderName { HeaderName(constant: "Last-Event-ID", lowercase: "last-event-id") }
    /// `Origin`.
    @inlinable
    public static var origin: HeaderName { HeaderName(constant: "Origin", lowercase: "origin") }
    /// `Retry-After`.
    @inlinable
    public static var retryAfter: HeaderName { HeaderName(constant: "Retry-After", lowercase: "retry-after") }
    @inlinable
    package static var secFetchDest: HeaderName { HeaderName(constant: "Sec-Fetch-Dest", lowercase: "sec-fetch-dest") }
    @inlinable
    package static var secFetchMode: HeaderName { HeaderName(constant: "Sec-Fetch-Mode", lowercase: "sec-fetch-mode") }
    /// `Sec-Fetch-Site`.
    @inlinable
    public static var secFetchSite: HeaderName { HeaderName(constant: "Sec-Fetch-Site", lowercase: "sec-fetch-site") }
    @inlinable
    package static var secFetchUser: HeaderName { HeaderName(constant: "Sec-Fetch-User", lowercase: "sec-fetch-user") }
    @inlinable
    package static var sessionUser: HeaderName { HeaderName(constant: "Session-User", lowercase: "session-user") }
    /// `Set-Cookie`.
    @inlinable
    public static var setCookie: HeaderName { HeaderName(constant: "Set-Cookie", lowercase: "set-cookie") }
    @inlinable
    package static var transferEncoding: HeaderName {
        HeaderName(constant: "Transfer-Encoding", lowercase: "transfer-encoding")
    }
    /// `Vary`.
    @inlinable
    public static var vary: HeaderName { HeaderName(constant: "Vary", lowercase: "vary") }
    @inlinable
    package static var xForwardedFor: HeaderName {
        HeaderName(constant: "X-Forwarded-For", lowercase: "x-forwarded-for")
    }
    /// `X-Request-ID`: the ID of a request, by which it is found in logs.
    @inlinable
    package static var xRequestID: HeaderName { HeaderName(constant: "X-Request-ID", lowercase: "x-request-id") }
}
