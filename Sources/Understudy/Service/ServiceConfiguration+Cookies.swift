import HTTPMessages
import UnderstudySessions

extension ServiceConfiguration {
    var cookieName: StaticString {
        if let ownCookieName { return ownCookieName }
        guard isPublicAddressSecure else { return "session" }
        return pathPrefix.isEmpty ? "__Host-session" : "__Secure-session"
    }

    /// The name of the cookie by which a browser proves that a user has logged in on it before.
    var deviceCookieName: StaticString {
        guard isPublicAddressSecure else { return "device" }
        return pathPrefix.isEmpty ? "__Host-device" : "__Secure-device"
    }

    /// 400 days are the maximum in browsers.
    func deviceCookie(_ token: String) -> HeaderField {
        (.setCookie, "\(deviceCookieName)=\(token)\(cookieAttributes); Max-Age=\(400 * 86_400)")
    }

    var sessionCookie: SessionCookie {
        SessionCookie(start: Array("\(cookieName)=".utf8), end: Array(cookieAttributes.utf8))
    }

    var expiredCookie: HeaderField { (.setCookie, "\(cookieName)=\(cookieAttributes); Max-Age=0") }

    private var cookieAttributes: String {
        let attributes =
            pathPrefix.isEmpty ? "; Path=/; HttpOnly; SameSite=Lax" : "; Path=\(pathPrefix); HttpOnly; SameSite=Lax"
        return attributes + (isPublicAddressSecure ? "; Secure" : "")
    }
}

/// The header field that stores a session's token, prepared for any token, because each new session needs one.
struct SessionCookie: Sendable {
    fileprivate let start: [UInt8]
    fileprivate let end: [UInt8]

    func field(_ token: SessionToken) -> HeaderField {
        let count = start.count + SessionToken.length + end.count
        let value = String(unsafeUninitializedCapacity: count) { value in
            let afterStart = value.initialize(fromContentsOf: start)
            let afterToken = afterStart + SessionToken.length
            token.write(to: value.extracting(afterStart..<afterToken))
            return value.extracting(afterToken..<count).initialize(fromContentsOf: end) + afterToken
        }
        return (.setCookie, value)
    }
}
