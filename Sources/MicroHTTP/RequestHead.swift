import HTTPMessages

/// In bytes.
struct RequestLimits {
    var target, headers, body: Int
    /// How much of the connection's memory a head may take, so that the head of the response fits.
    let headMemory: Int

    init(_ configuration: ServerConfiguration) {
        target = configuration.maximumTargetSize
        headers = configuration.maximumHeaderSize
        body = configuration.maximumBodySize
        headMemory = configuration.connectionMemory - 4096
    }
}

/// Everything before the body.
struct RequestHead {
    let method: Method
    let target: String
    let version: Version
    /// Whether the head contains nothing except method, target, version and headers.
    var isExact: Bool
    let headers: Headers

    enum Version {
        case http10, http11
        /// The server does not support it.
        case other
    }

    /// RFC 9112, section 6.
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunked
    }

    /// Checks the head. The host is known if an earlier head with the same Host header was accepted.
    func framing(limits: RequestLimits, isHostKnown: Bool = false) throws(RequestRejection) -> Framing {
        guard target.utf8.count <= limits.target else { throw .targetTooLong(limit: limits.target) }
        guard headers.size <= limits.headers else { throw .headersTooLarge(limit: limits.headers) }
        try require(isExact, "Each line must end with CR and LF, and must contain no NUL and no misplaced spaces.")
        guard version != .other else { throw .unsupportedHTTPVersion }
        try require(
            method.isToken && method.rawValue.utf8.count <= 32,
            "The method must be a token of at most 32 bytes."
        )
        try require(isTargetWellFormed, "The request target must contain only visible ASCII, without '#' and '%00'.")
        try require(
            headers.areWellFormed,
            "The name of each header must be a token, and its value must contain no control bytes."
        )
        let hosts = headers.count(of: .host)
        try require(hosts == 1 || (hosts == 0 && version == .http10), "The request must have exactly one Host header.")
        if let name = repeatedHeader { throw .malformedRequest("The request must have at most one \(name) header.") }
        if !isHostKnown { try requireWellFormedHost() }
        try require(
            isTargetForThisServer,
            "The request target must be a path, or a URL with the address in the Host header."
        )
        return try bodyFraming(limit: limits.body)
    }

    private func requireWellFormedHost() throws(RequestRejection) {
        guard let host = headers.first(.host) else { return }
        try require(Authority.isWellFormed(host), "The Host header must be a host, or a host and a port.")
        // A path without a host is an invalid URI (RFC 9110, section 4.2). Only `*`, the server itself, needs no host (RFC 9112,
        // section 3.2).
        try require(
            !Authority.hasNoHost(host) || RequestTarget(target) == .asterisk,
            "The Host header is empty. It must name the host, as in the URL."
        )
    }

    @inline(__always)
    private func require(_ isRight: Bool, _ rule: StaticString) throws(RequestRejection) {
        if !isRight { throw .malformedRequest(rule.description) }
    }

    /// A header that must have one value, but is there twice, so that a proxy and the server could each read another one.
    private var repeatedHeader: HeaderName? {
        // Not a loop over a list, so that each name is a constant, and costs one comparison.
        if headers.isRepeated(.contentType) { return .contentType }
        if headers.isRepeated(.authorization) { return .authorization }
        if headers.isRepeated(.origin) { return .origin }
        if headers.isRepeated(.secFetchSite) { return .secFetchSite }
        if headers.isRepeated(.secFetchMode) { return .secFetchMode }
        if headers.isRepeated(.secFetchDest) { return .secFetchDest }
        if headers.isRepeated(.secFetchUser) { return .secFetchUser }
        if headers.isRepeated(.idempotencyKey) { return .idempotencyKey }
        if headers.isRepeated(.deviceToken) { return .deviceToken }
        if headers.isRepeated(.sessionUser) { return .sessionUser }
        if headers.isRepeated(.lastEventID) { return .lastEventID }
        return nil
    }

    /// The host in the Host header, perhaps with a port. On HTTP/1.0 without a Host header, the host in an absolute target; `nil` if there
    /// is neither.
    var host: ArraySlice<UInt8>? {
        if let host = headers.first(.host) { return host }
        guard case .absolute(let authority, _) = RequestTarget(target) else { return nil }
        return authority
    }

    /// The target as the handler sees it: path and query, without the server's address.
    var pathAndQuery: String {
        guard case .absolute(_, let rest) = RequestTarget(target) else { return target }
        let text = String(decoding: rest, as: UTF8.self)
        if rest.first == UInt8(ascii: "/") { return text }
        return rest.isEmpty && method == .options ? "*" : "/" + text
    }

    /// Clients must not send fragments. An encoded NUL is useful only to truncate a text.
    private var isTargetWellFormed: Bool {
        var target = target
        return !target.isEmpty
            && target.withUTF8 { bytes in
                for index in bytes.indices {
                    let byte = bytes[index]
                    guard (0x21...0x7E).contains(byte), byte != UInt8(ascii: "#") else { return false }
                    if byte == UInt8(ascii: "%"), bytes[index...].starts(with: "%00".utf8) { return false }
                }
                return true
            }
    }

    private var isTargetForThisServer: Bool {
        // For speed: nearly all targets are paths.
        if target.utf8.first == UInt8(ascii: "/") { return method != .connect }
        return switch RequestTarget(target) {
        case .asterisk: method == .options
        case .absolute(let authority, _): isHost(ArraySlice(authority))
        case .other: false
        }
    }

    /// It must name a host, and be equal to the Host header, which only HTTP/1.0 may leave out.
    private func isHost(_ authority: ArraySlice<UInt8>) -> Bool {
        guard !Authority.hasNoHost(authority), method != .connect else { return false }
        guard let host = headers.first(.host) else { return Authority.isWellFormed(authority) }
        // A default port makes them different, because a client must send the same text in both places (RFC 9112, section 3.2).
        return authority.equalsIgnoringCase(host)
    }

    private func bodyFraming(limit: Int) throws(RequestRejection) -> Framing {
        let coding = headers.first(.transferEncoding)
        let length = headers.withFirst(.contentLength, Self.number)
        try require(
            (coding == nil || length == nil) && !headers.isRepeated(.contentLength)
                && !headers.isRepeated(.transferEncoding),
            "The request must have at most one Content-Length or Transfer-Encoding header."
        )
        if let coding { return try chunkedFraming(coding) }
        guard let length else { return .none }
        guard let length else { throw .malformedRequest("The Content-Length must be a number of at most 18 digits.") }
        guard length <= limit else { throw .bodyTooLarge(limit: limit) }
        return length == 0 ? .none : .length(length)
    }

    /// `nil` unless the text consists of 1 to 18 digits.
    private static func number(_ digits: UnsafeBufferPointer<UInt8>) -> Int? {
        guard (1...18).contains(digits.count) else { return nil }
        var number = 0
        for digit in digits {
            guard digit.isDigit else { return nil }
            number = 10 * number + Int(digit & 0x0F)
        }
        return number
    }

    /// If chunked is not the last coding, the server cannot find the end of the body (RFC 9112, section 6.3). If other codings precede
    /// chunked, the server could find the end but not decode the body (section 6.1).
    private func chunkedFraming(_ value: ArraySlice<UInt8>) throws(RequestRejection) -> Framing {
        try require(version == .http11, "A request of HTTP/1.0 must not have a Transfer-Encoding header.")
        if isChunked(value) { return .chunked }
        let codings = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(\.trimmed)
        let others = codings.dropLast()
        try require(
            codings.last.map(isChunked) == true && !others.isEmpty && !others.contains(where: isChunked),
            "The last transfer coding must be chunked, and no other coding may be."
        )
        try require(others.allSatisfy { $0.first?.isTokenByte == true }, "Each transfer coding must have a name.")
        throw .unsupportedTransferCoding
    }

    /// Compares bytes, because some letters outside ASCII have lower-case forms in ASCII, which libmicrohttpd does not accept.
    private func isChunked(_ value: ArraySlice<UInt8>) -> Bool {
        value.elementsEqual("chunked".utf8) { $0.lowercased == $1 }
    }
}

/// RFC 9112, section 3.2.
enum RequestTarget: Equatable {
    /// A server, a path and a query. Each of them may be missing.
    case absolute(authority: Bytes, rest: Bytes)
    case asterisk
    /// A path and perhaps a query; or any other form, including that of CONNECT, because this server is not a proxy.
    case other

    /// Compared as bytes, because a client can choose characters that are slow to compare as text.
    typealias Bytes = ArraySlice<UInt8>

    init(_ text: String) {
        let bytes = text.utf8
        self = bytes.elementsEqual("*".utf8) ? .asterisk : Self.absolute(ArraySlice(bytes)) ?? .other
    }

    private static func absolute(_ text: Bytes) -> RequestTarget? {
        let schemes = ["http://", "https://"].map(\.utf8)
        guard let scheme = schemes.first(where: { text.prefix($0.count).equalsIgnoringCase($0) }) else { return nil }
        let server = text.dropFirst(scheme.count)
        let authority = server.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        return .absolute(authority: authority, rest: server[authority.endIndex...])
    }
}

extension RequestRejection {
    /// Why libmicrohttpd responds with that status, as far as the status and the head show.
    ///
    /// libmicrohttpd reports neither the error nor the method and the version. So this checks the head with OPTIONS and HTTP/1.1, which
    /// cause no error by themselves.
    ///
    /// - Parameter request: `nil` unless libmicrohttpd has read its whole head.
    init(libraryStatus status: Int, of request: Request? = nil, limits: RequestLimits) {
        switch status {
        case 413: self = .bodyTooLarge(limit: limits.body)
        case 414: self = .targetTooLong(limit: limits.target)
        case 431: self = .headersTooLarge(limit: limits.headers)
        case 505: self = .unsupportedHTTPVersion
        default:
            self = .malformedRequest("A line of the head, or the line before a chunk, is not valid.")
            guard status == 400, let request else { return }
            let (target, headers) = (request.target, request.headers)
            let head = RequestHead(method: .options, target: target, version: .http11, isExact: true, headers: headers)
            do throws(RequestRejection) {
                _ = try head.framing(limits: limits)
                self = .malformedRequest("The Content-Length must be a number, without white space after it.")
            } catch {
                self = error
            }
        }
    }
}
