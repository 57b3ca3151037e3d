@testable import Understudy
@testable import UnderstudySessions

struct ClientTests {
    static let text = "0123456789abcdef0123456789abcdef"
    static let other = "ffffffffffffffffffffffffffffffff"

    // MARK: Bearer

    @Test(arguments: ["Bearer", "bearer", "BEARER", "bEaReR"])
    func `the scheme Bearer is read in any case`(scheme: String) throws {
        #expect(try client(["Authorization": "\(scheme) \(Self.text)"]) == .bearer(id(Self.text)))
    }

    @Test(arguments: [
        "nonsense", String(text.dropLast()), text + "0", text.uppercased(), String(text.dropLast()) + "g",
        "\"\(text)\"",
        " " + text,
    ])
    func `a malformed token takes precedence over a cookie`(token: String) {
        let client = client(["Cookie": "session=\(Self.other)", "Authorization": "Bearer \(token)"])
        #expect(client == .bearer(nil))
        #expect(client.isBearer)
        #expect(client.id == nil)
    }

    @Test(arguments: [
        "", "Bearer", "Bearer ", "Basic YmF0bWFuOmJydWNl", "Digest a", "Bearers abcdef", "Bearer\tabcdef",
    ])
    func `a credential of another scheme is ignored`(value: String) {
        #expect(client(["Authorization": value]) == .unknown)
    }

    @Test(
        arguments: [
            (["Cookie": "session=\(other)", "Authorization": "Bearer \(text)"], true),
            (["Cookie": "session=\(text)", "Authorization": "Basic YmF0bWFuOmJydWNl"], false),
            (["Cookie": "a=b", "Cookie": "c=d; session=\(text)"], false),
            (["Cookie": "session=\(text); session=\(other)"], false),
            (["Cookie": "session=\(text)", "Cookie": "session=\(other)"], false),
        ] as [(Headers, Bool)]
    )
    func `a bearer token counts, and otherwise the first session cookie of any header`(headers: Headers, isBearer: Bool)
        throws
    {
        #expect(try client(headers) == (isBearer ? .bearer(id(Self.text)) : .cookie(id(Self.text))))
    }

    // MARK: Cookies

    @Test(arguments: [
        "_", "a=b; _", "_; a=b", "a=b; _; c=d",
        "a=b;_", "a; _", "; _;", "a=\"b c\"; _",
        "a==; _", "  _", "\t_", "session=; _",
        "session=nonsense; _", "session; _",
    ])
    func `the session cookie is found among others`(cookies: String) throws {
        let cookies = cookies.replacing("_", with: "session=\(Self.text)")
        #expect(try client(["Cookie": cookies]) == .cookie(id(Self.text)))
    }

    @Test(arguments: [
        "", ";", "session", "session=", "session=nonsense", "a=b", "Session=\(text)", "SESSION=\(text)",
        "xsession=\(text)", "sessionx=\(text)", "session =\(text)", "session= \(text)", "session=\"\(text)\"",
        "session=\(text)0",
        "session=\(text) ", "session:\(text)", "a=session=\(text)", "a=b, session=\(text)", "__Host-session=\(text)",
    ])
    func `another cookie is not a credential`(cookies: String) {
        let client = client(["Cookie": cookies])
        #expect(client == .unknown)
        #expect(!client.isBearer)
        #expect(client.id == nil)
    }

    @Test func `if the public URL is https, the cookie's name has the prefix __Host-`() throws {
        let secure = "session=\(Self.other); __Host-session=\(Self.text)"
        #expect(try client(["Cookie": secure], isSecure: true) == .cookie(id(Self.text)))
        #expect(client(["Cookie": "session=\(Self.other)"], isSecure: true) == .unknown)
    }

    // MARK: Set-Cookie

    @Test(arguments: [(false, "session", ""), (true, "__Host-session", "; Secure")])
    func `the cookie is HttpOnly and SameSite, secure if the public URL is https, and deleted with Max-Age=0`(
        isSecure: Bool,
        name: String,
        secure: String
    ) throws {
        var configuration = ServiceConfiguration()
        configuration.isPublicAddressSecure = isSecure
        let (field, value) = configuration.sessionCookie.field(try token(Self.text))
        #expect(field == "Set-Cookie")
        #expect(value == "\(name)=\(Self.text); Path=/; HttpOnly; SameSite=Lax\(secure)")
        let expired = configuration.expiredCookie
        #expect(expired.name == "Set-Cookie")
        #expect(expired.value == "\(name)=; Path=/; HttpOnly; SameSite=Lax\(secure); Max-Age=0")
    }

    @Test func `a connection keeps the session's ID of its last token`() throws {
        let cache = ConnectionCache()
        func kept(_ text: String) throws -> (any AnyObject & Sendable)? {
            var content = Request.Content()
            content.headers = ["Authorization": "Bearer \(text)"]
            content.connectionCache = cache
            #expect(SessionCredential(Request(content), cookieName: "session") == .bearer(try id(text)))
            return cache.content
        }
        let first = try kept(Self.text)
        #expect(try kept(Self.text) === first)
        #expect(try kept(Self.other) !== first)
    }

    func client(_ headers: Headers, isSecure: Bool = false) -> SessionCredential {
        var configuration = ServiceConfiguration()
        configuration.isPublicAddressSecure = isSecure
        return SessionCredential(Request(.get, "/", headers: headers), cookieName: configuration.cookieName)
    }

    func id(_ text: String) throws -> SessionID { try token(text).id }

    func token(_ text: String) throws -> SessionToken { try #require(sessionToken(text)) }
}
