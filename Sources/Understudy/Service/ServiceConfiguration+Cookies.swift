import MicroHTTP

extension ServiceConfiguration {
    /// The name of the session's cookie.
    var cookieName: StaticString {
        guard isPublicAddressSecure else { return "session" }
        return pathPrefix.isEmpty ? "__Host-session" : "__Secure-session"
    }

    /// The name of the cookie by which a browser proves that a user has logged in on it before.
    var deviceCookieName: StaticString {
        guard isPublicAddressSecure else { return "device" }
        return pathPrefix.isEmpty ? "__Host-device" : "__Secure-device"
    }

    /// The header field that stores a device's token for 400 days, the maximum in browsers.
    func deviceCookie(_ token: String) -> (name: HeaderName, value: String) {
        (.setCookie, "\(deviceCookieName)=\(token)\(cookieAttributes); Max-Age=\(400 * 86_400)")
    }

    /// The header field that stores the session's token.
    func cookie(_ token: SessionToken) -> (name: HeaderName, value: String) {
        (.setCookie, "\(cookieName)=\(token.text)\(cookieAttributes)")
    }

    /// The header field that removes the session's cookie.
    var expiredCookie: (name: HeaderName, value: String) {
        (.setCookie, "\(cookieName)=\(cookieAttributes); Max-Age=0")
    }

    private var cookieAttributes: String {
        let attributes =
            pathPrefix.isEmpty ? "; Path=/; HttpOnly; SameSite=Lax" : "; Path=\(pathPrefix); HttpOnly; SameSite=Lax"
        return attributes + (isPublicAddressSecure ? "; Secure" : "")
    }
}
