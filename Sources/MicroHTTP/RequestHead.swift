/// How large a request may be, in bytes.
struct RequestLimits {
    var target, headers, body: Int

    init(_ configuration: ServerConfiguration) {
        target = configuration.maximumTargetSize
        headers = configuration.maximumHeaderSize
        body = configuration.maximumBodySize
    }
}

/// What stands before a request's body, and whether it can be accepted.
struct RequestHead {
    let method: Method
    let target: String
    let version: Version
    /// Whether nothing else stands in the head.
    var isExact: Bool
    let headers: Headers

    /// The version of the protocol.
    enum Version {
        case http10, http11
        /// One that is not understood.
        case other
    }

    /// How the end of the body is found (RFC 9112, section 6).
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunked
    }

    /// How the end of the body is found.
    ///
    /// - Throws: why the server rejects the request.
    func framing(limits: RequestLimits) throws(RequestRejection) -> Framing {
        guard target.utf8.count <= limits.target else {
            throw .targetTooLong(limit: limits.target)
        }
        guard headers.size <= limits.headers else {
            throw .headersTooLarge(limit: limits.headers)
        }
        guard isExact else {
            throw .malformedRequest(
                "A line does not end in CR and LF, or holds a NUL or spaces that have no place there."
            )
        }
        guard version != .other else {
            throw .unsupportedHTTPVersion
        }
        guard method.isToken else {
            throw .malformedRequest("The method is not a token.")
        }
        guard isTargetWellFormed else {
            throw .malformedRequest("The request target holds a '#', a '%00' or bytes other than visible ASCII.")
        }
        guard headers.areWellFormed else {
            throw .malformedRequest("A header's name is not a token, or its value holds control bytes.")
        }
        let hosts = headers.count(of: .host)
        guard hosts == 1 || (hosts == 0 && version == .http10) else {
            throw .malformedRequest("There has to be exactly one Host header.")
        }
        var namesHost = true
        let isHostWellFormed = headers.withFirst(.host) { host in
            namesHost = !Authority.hasNoHost(host)
            return Authority.isWellFormed(host)
        }
        guard isHostWellFormed != false else {
            throw .malformedRequest("The Host header is neither a host nor a host and a port.")
        }
        // Together with a path, no host makes a URI that is invalid (RFC 9110, section 4.2). Only `*`, which asks about the
        // server as such, needs none (RFC 9112, section 3.2).
        guard namesHost || RequestTarget(target) == .asterisk else {
            throw .malformedRequest("The Host header is empty. It must name the host, as the URL does.")
        }
        guard isTargetOurs else {
            throw .malformedRequest(
                "The request target is neither a path nor one behind the address that the Host header has."
            )
        }
        return try bodyFraming(limit: limits.body)
    }

    /// The host that the request is for, perhaps with a port: what the Host header says, or on HTTP/1.0 without one what an
    /// absolute target says; `nil` if neither does.
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

    /// Fragments stay with the client. An encoded NUL has no use but to cut a text short.
    private var isTargetWellFormed: Bool {
        var target = target
        return !target.isEmpty
            && target.withUTF8 { bytes in
                for (index, byte) in bytes.enumerated() {
                    guard (0x21...0x7E).contains(byte), byte != UInt8(ascii: "#") else { return false }
                    if byte == UInt8(ascii: "%"), bytes[index...].starts(with: "%00".utf8) { return false }
                }
                return true
            }
    }

    private var isTargetOurs: Bool {
        switch RequestTarget(target) {
        case .origin: method != .connect
        case .asterisk: method == .options
        case .absolute(let authority, _): isHost(ArraySlice(authority))
        case .other: false
        }
    }

    /// Whether a target's authority is what the Host header says; only HTTP/1.0 may have none. It names a host at least.
    private func isHost(_ authority: ArraySlice<UInt8>) -> Bool {
        guard !Authority.hasNoHost(authority), method != .connect else { return false }
        guard let host = headers.first(.host) else { return Authority.isWellFormed(authority) }
        return Authority.areEqual(authority, host)
    }

    private func bodyFraming(limit: Int) throws(RequestRejection) -> Framing {
        let lengths = headers.count(of: .contentLength)
        let codings = headers.count(of: .transferEncoding)
        guard lengths + codings <= 1 else {
            throw .malformedRequest("The body's length is given more than once.")
        }
        if let coding = headers.first(.transferEncoding) { return try chunkedFraming(coding) }
        let length = headers.withFirst(.contentLength) { digits -> Int? in
            guard !digits.isEmpty, digits.count <= 18, digits.allSatisfy(\.isDigit) else { return nil }
            return digits.reduce(0) { 10 * $0 + Int($1 & 0x0F) }
        }
        guard let length else { return .none }
        guard let length else { throw .malformedRequest("The Content-Length is not a number.") }
        guard length <= limit else { throw .bodyTooLarge(limit: limit) }
        return length == 0 ? .none : .length(length)
    }

    /// A body of which chunked is not the last coding has no end that can be found (RFC 9112, section 6.3); one with other
    /// codings before it could be read, but not understood (section 6.1).
    private func chunkedFraming(_ value: ArraySlice<UInt8>) throws(RequestRejection) -> Framing {
        guard version == .http11 else {
            throw .malformedRequest("HTTP/1.0 has no transfer codings.")
        }
        if isChunked(value) { return .chunked }
        let codings = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(\.trimmed)
        let others = codings.dropLast()
        guard codings.last.map(isChunked) == true, !others.isEmpty, !others.contains(where: isChunked) else {
            throw .malformedRequest("The last transfer coding has to be chunked, and no other.")
        }
        guard others.allSatisfy({ $0.first?.isTokenByte == true }) else {
            throw .malformedRequest("A transfer coding has no name.")
        }
        throw .unsupportedTransferCoding
    }

    /// Letters outside ASCII have lower-case forms within it, which libmicrohttpd does not take for these.
    private func isChunked(_ value: ArraySlice<UInt8>) -> Bool {
        value.elementsEqual("chunked".utf8) { $0.lowercased == $1 }
    }

}
