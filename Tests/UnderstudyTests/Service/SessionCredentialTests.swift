import MicroHTTP
import Testing

@testable import Understudy

@Suite struct ClientTests {
    private static let text = "0123456789abcdef0123456789abcdef"
    private static let other = "ffffffffffffffffffffffffffffffff"

    // MARK: Bearer

    @Test(arguments: ["Bearer", "bearer", "BEARER", "bEaReR"])
    func `a bearer token is known whatever the case of its scheme`(scheme: String) throws {
        #expect(try client(["Authorization": "\(scheme) \(Self.text)"]) == .bearer(id(Self.text)))
    }

    @Test(arguments: [
        "nonsense", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0",
        "0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef0123456789abcdeg", "\"0123456789abcdef0123456789abcdef\"",
        " 0123456789abcdef0123456789abcdef",
    ])
    func `a token that is no session's id is still a bearer's`(token: String) {
        let client = client(["Authorization": "Bearer \(token)"])
        #expect(client == .bearer(nil))
        #expect(client.isBearer)
        #expect(client.id == nil)
    }

    @Test(arguments: [
        "", "Bearer", "Bearer ", "Basic YmF0bWFuOmJydWNl", "Digest a", "Bearers abcdef", "Bearer\tabcdef",
    ])
    func `another scheme is somebody else's`(value: String) {
        #expect(client(["Authorization": value]) == .unknown)
    }

    @Test func `a bearer token comes before a cookie`() throws {
        let headers: KeyValuePairs<HeaderName, String> = [
            "Cookie": "session=\(Self.other)", "Authorization": "Bearer \(Self.text)",
        ]
        #expect(try client(headers) == .bearer(id(Self.text)))
        let invalid: KeyValuePairs<HeaderName, String> = [
            "Cookie": "session=\(Self.other)", "Authorization": "Bearer nonsense",
        ]
        #expect(client(invalid) == .bearer(nil))
    }

    @Test func `another scheme leaves the cookie`() throws {
        let headers: KeyValuePairs<HeaderName, String> = [
            "Cookie": "session=\(Self.text)", "Authorization": "Basic YmF0bWFuOmJydWNl",
        ]
        #expect(try client(headers) == .cookie(id(Self.text)))
    }

    // MARK: Cookies

    @Test(arguments: [
        "session=\(text)", "a=b; session=\(text)", "session=\(text); a=b", "a=b; session=\(text); c=d",
        "a=b;session=\(text)", "a; session=\(text)", "; session=\(text);", "a=\"b c\"; session=\(text)",
        "a==; session=\(text)", "  session=\(text)", "\tsession=\(text)", "session=; session=\(text)",
        "session=nonsense; session=\(text)", "session; session=\(text)",
    ])
    func `the session's cookie is found among others`(cookies: String) throws {
        #expect(try client(["Cookie": cookies]) == .cookie(id(Self.text)))
    }

    @Test func `the session's cookie is found in any Cookie header`() throws {
        #expect(try client(["Cookie": "a=b", "Cookie": "c=d; session=\(Self.text)"]) == .cookie(id(Self.text)))
    }

    @Test func `of two ids the first counts`() throws {
        #expect(
            try client(["Cookie": "session=\(Self.text); session=\(Self.other)"]) == .cookie(id(Self.text))
        )
        #expect(
            try client(["Cookie": "session=\(Self.text)", "Cookie": "session=\(Self.other)"]) == .cookie(id(Self.text))
        )
    }

    @Test(arguments: [
        "", ";", "session", "session=", "session=nonsense", "a=b", "Session=\(text)", "SESSION=\(text)",
        "xsession=\(text)",
        "sessionx=\(text)", "session =\(text)", "session= \(text)", "session=\"\(text)\"", "session=\(text)0",
        "session=\(text) ", "session:\(text)", "a=session=\(text)", "a=b, session=\(text)", "__Host-session=\(text)",
    ])
    func `what is no session's cookie tells nothing`(cookies: String) {
        let client = client(["Cookie": cookies])
        #expect(client == .unknown)
        #expect(!client.isBearer)
        #expect(client.id == nil)
    }

    @Test func `a request without headers tells nothing`() {
        #expect(client([:]) == .unknown)
    }

    @Test func `where the public address is https the cookie's name says so`() throws {
        var configuration = ServiceConfiguration()
        configuration.isPublicAddressSecure = true
        let secure: Headers = ["Cookie": "session=\(Self.other); __Host-session=\(Self.text)"]
        #expect(
            try SessionCredential(Request(.get, "/", headers: secure), cookieName: configuration.cookieName)
                == .cookie(id(Self.text))
        )
        let plain: Headers = ["Cookie": "session=\(Self.other)"]
        #expect(SessionCredential(Request(.get, "/", headers: plain), cookieName: configuration.cookieName) == .unknown)
    }

    // MARK: What the client is told to keep

    @Test func `the cookie is out of reach of scripts and other sites`() throws {
        let (name, value) = ServiceConfiguration().cookie(try token(Self.text))
        #expect(name == "Set-Cookie")
        #expect(value == "session=\(Self.text); Path=/; HttpOnly; SameSite=Lax")
    }

    @Test func `where the public address is https the cookie is secure`() throws {
        var configuration = ServiceConfiguration()
        configuration.isPublicAddressSecure = true
        let (name, value) = configuration.cookie(try token(Self.text))
        #expect(name == "Set-Cookie")
        #expect(value == "__Host-session=\(Self.text); Path=/; HttpOnly; SameSite=Lax; Secure")
        #expect(
            configuration.expiredCookie.value == "__Host-session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0"
        )
    }

    @Test func `a cookie that is to be forgotten has expired`() {
        #expect(ServiceConfiguration().expiredCookie.name == "Set-Cookie")
        #expect(
            ServiceConfiguration().expiredCookie.value == "session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"
        )
    }

    private func client(_ headers: KeyValuePairs<HeaderName, String>) -> SessionCredential {
        SessionCredential(Request(.get, "/", headers: Headers(headers)), cookieName: ServiceConfiguration().cookieName)
    }

    private func id(_ text: String) throws -> SessionID {
        try token(text).id
    }

    private func token(_ text: String) throws -> SessionToken {
        try #require(sessionToken(text))
    }
}
