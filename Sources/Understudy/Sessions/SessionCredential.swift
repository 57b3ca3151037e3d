import BusinessLogic
import MicroHTTP

/// What a request says of the session that it belongs to.
enum SessionCredential: Equatable {
    /// Nothing, or a cookie that is no session's id.
    case unknown
    /// The session's cookie.
    case cookie(SessionID)
    /// `Authorization: Bearer …`; `nil` where that is no session's id.
    case bearer(SessionID?)

    init(_ request: Request, cookieName: StaticString) {
        let headers = request.headers
        if let token = Self.bearerToken(headers) {
            self = .bearer(token.map(request.sessionID))
        } else if let token = Self.cookie(headers, name: cookieName) {
            self = .cookie(request.sessionID(of: token))
        } else {
            self = .unknown
        }
    }

    var id: SessionID? {
        switch self {
        case .unknown: nil
        case .cookie(let id): id
        case .bearer(let id): id
        }
    }

    var isBearer: Bool {
        if case .bearer = self { true } else { false }
    }

    /// The session's token that the request contains, if it contains one.
    static func token(in headers: Headers, cookieName: StaticString) -> SessionToken? {
        if let token = bearerToken(headers) { return token }
        return cookie(headers, name: cookieName)
    }

    /// The token of a device: the header `Device-Token`, or the cookie of that name.
    static func deviceToken(_ headers: Headers, cookieName: StaticString) -> String? {
        if let header = headers.first("Device-Token") { return deviceToken(header) }
        return cookieValue(headers, name: cookieName, deviceToken)
    }

    private static func deviceToken(_ bytes: ArraySlice<UInt8>) -> String? {
        guard (1...256).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The token of RFC 6750, section 2.1; the inner `nil` where it is no session's. Other schemes are somebody else's, such
    /// as a proxy's.
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

    /// The first cookie of that name that is a session's token.
    private static func cookie(_ headers: Headers, name: StaticString) -> SessionToken? {
        cookieValue(headers, name: name) { value in value.withUnsafeBytes { SessionToken($0) } }
    }

    /// What the first cookie of that name means that means something (RFC 6265, section 5.4).
    private static func cookieValue<Result>(
        _ headers: Headers,
        name: StaticString,
        _ read: (ArraySlice<UInt8>) -> Result?
    ) -> Result? {
        for value in headers.values(.cookie) {
            for pair in value.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")),
                    equals - pair.startIndex == name.utf8CodeUnitCount,
                    pair[..<equals].elementsEqual(
                        UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
                    ),
                    let result = read(pair[(equals + 1)...])
                else { continue }
                return result
            }
        }
        return nil
    }
}

extension Request {
    /// A token's session id. That of the connection's last token is kept: hashing it takes a fiftieth of the time of an event.
    fileprivate func sessionID(of token: SessionToken) -> SessionID {
        guard let connectionCache else { return token.id }
        if let known = connectionCache.content as? KnownToken, known.token == token { return known.id }
        let known = KnownToken(token: token, id: token.id)
        connectionCache.content = known
        return known.id
    }
}

/// A token that came over a connection.
private final class KnownToken: Sendable {
    let token: SessionToken
    let id: SessionID

    init(token: SessionToken, id: SessionID) {
        self.token = token
        self.id = id
    }
}
