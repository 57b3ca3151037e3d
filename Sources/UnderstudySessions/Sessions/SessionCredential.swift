package import BusinessLogic
package import HTTPMessages
import Glibc

/// How a request identifies its session: by a cookie, by a bearer token, or not at all.
package enum SessionCredential: Equatable {
    /// The request contains no token, or a cookie that is not a valid token.
    case unknown
    case cookie(SessionID)
    /// The request contains `Authorization: Bearer …`. The ID is `nil` if the token is invalid.
    case bearer(SessionID?)

    package init(_ request: Request, cookieName: StaticString) {
        let headers = request.headers
        if let token = Self.bearerToken(headers) {
            self = .bearer(token.map(request.sessionID))
        } else if let token = Self.cookie(headers, name: cookieName) {
            self = .cookie(request.sessionID(of: token))
        } else {
            self = .unknown
        }
    }

    package var id: SessionID? {
        switch self {
        case .unknown: nil
        case .cookie(let id): id
        case .bearer(let id): id
        }
    }

    package var isBearer: Bool {
        if case .bearer = self { true } else { false }
    }

    package static func token(in headers: Headers, cookieName: StaticString) -> SessionToken? {
        if let token = bearerToken(headers) { return token }
        return cookie(headers, name: cookieName)
    }

    /// The token of a device: the header `Device-Token`, or the cookie of that name.
    static func deviceToken(_ headers: Headers, cookieName: StaticString) -> String? {
        if let header = headers.first(.deviceToken) { return deviceToken(header) }
        return cookieValue(headers, name: cookieName) { deviceToken($0) }
    }

    private static func deviceToken(_ bytes: some Collection<UInt8>) -> String? {
        guard (1...256).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The token of RFC 6750, section 2.1. The inner optional is `nil` if it is not a valid session token. Other schemes are
    /// ignored: they may be for a proxy.
    private static func bearerToken(_ headers: Headers) -> SessionToken?? {
        headers.withFirst(.authorization) { value -> SessionToken?? in
            let scheme: StaticString = "bearer "
            guard value.count > scheme.utf8CodeUnitCount else { return nil }
            for index in 0..<scheme.utf8CodeUnitCount where value[index] | 0x20 != scheme.utf8Start[index] | 0x20 {
                return nil
            }
            return SessionToken(
                UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(value)[scheme.utf8CodeUnitCount...])
            )
        } ?? nil
    }

    private static func cookie(_ headers: Headers, name: StaticString) -> SessionToken? {
        cookieValue(headers, name: name) { SessionToken($0) }
    }

    /// The result of `read` for the first cookie of that name for which it returns one (RFC 6265, section 5.4).
    private static func cookieValue<Result>(
        _ headers: Headers,
        name: StaticString,
        _ read: (UnsafeRawBufferPointer) -> Result?
    ) -> Result? {
        headers.firstResult(of: .cookie) { cookies in
            var rest = UnsafeRawBufferPointer(cookies)
            while let start = rest.baseAddress, !rest.isEmpty {
                // Not `firstIndex`, which takes 10 instructions for each byte of a browser's cookies.
                let separator = memchr(start, Int32(UInt8(ascii: ";")), rest.count)
                let end = separator.map { start.distance(to: $0) } ?? rest.count
                let pair = rest[..<end]
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(end + 1))
                if let value = value(of: name, in: pair), let result = read(value) { return result }
            }
            return nil
        }
    }

    /// `nil` if the pair has another name.
    private static func value(of name: StaticString, in pair: Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer?
    {
        let pair = pair.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let size = name.utf8CodeUnitCount
        guard pair.count > size, pair[pair.startIndex + size] == UInt8(ascii: "="),
            pair.starts(with: UnsafeBufferPointer(start: name.utf8Start, count: size))
        else { return nil }
        return UnsafeRawBufferPointer(rebasing: pair.dropFirst(size + 1))
    }
}

extension Request {
    /// A token's session ID. The connection caches its last one: hashing the token would take 1,000 of an event's instructions, 1.5 %.
    fileprivate func sessionID(of token: SessionToken) -> SessionID {
        guard let connectionCache else { return token.id }
        if let known = connectionCache.content as? KnownToken, known.token == token { return known.id }
        let known = KnownToken(token: token, id: token.id)
        connectionCache.content = known
        return known.id
    }
}

private final class KnownToken: Sendable {
    let token: SessionToken
    let id: SessionID

    init(token: SessionToken, id: SessionID) {
        self.token = token
        self.id = id
    }
}
