import MicroHTTP

extension ServiceConfiguration {
    /// The cookie's name.
    var cookieName: StaticString {
        guard isPublicAddressSecure else { return "session" }
        return pathPrefix.isEmpty ? "__Host-session" : "__Secure-session"
    }

    /// The name of the cookie by which a browser shows that a user has logged in there before.
    var deviceCookieName: StaticString {
        guard isPublicAddressSecure else { return "device" }
        return pathPrefix.isEmpty ? "__Host-device" : "__Secure-device"
    }

    /// The header that makes a browser keep a device's token, for 400 days: no browser keeps a cookie for longer.
    func deviceCookie(_ token: String) -> (name: HeaderName, value: String) {
        (.setCookie, "\(deviceCookieName)=\(token)\(cookieAttributes); Max-Age=\(400 * 86_400)")
    }

    /// The header that makes a browser keep the session's id.
    func cookie(_ token: SessionToken) -> (name: HeaderName, value: String) {
        (.setCookie, "\(cookieName)=\(token.text)\(cookieAttributes)")
    }

    /// The header that makes a browser forget it.
    var expiredCookie: (name: HeaderName, value: String) {
        (.setCookie, "\(cookieName)=\(cookieAttributes); Max-Age=0")
    }

    private var cookieAttributes: String {
        let attributes =
            pathPrefix.isEmpty ? "; Path=/; HttpOnly; SameSite=Lax" : "; Path=\(pathPrefix); HttpOnly; SameSite=Lax"
        return attributes + (isPublicAddressSecure ? "; Secure" : "")
    }
}
