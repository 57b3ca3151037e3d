@testable import Understudy
@testable import UnderstudyPages

struct CrossSiteTests {
    func check(_ headers: Headers, _ method: Method = .post, allowed: AllowedOrigins = .init()) throws {
        try Request(method, "/", headers: headers).requireSameSite(orOneOf: allowed)
    }

    @Test(
        arguments: [
            // No browser.
            ["Host": "example.com"], [:],
            // Fetch Metadata takes precedence.
            ["Host": "example.com", "Sec-Fetch-Site": "same-origin"],
            ["Host": "example.com", "Sec-Fetch-Site": "none"],
            ["Host": "example.com", "Sec-Fetch-Site": "same-origin", "Origin": "https://elsewhere.example"],
            // Older browsers.
            ["Host": "example.com", "Origin": "https://example.com"],
            ["Host": "example.com", "Origin": "http://example.com"],
            ["Host": "localhost:8080", "Origin": "http://localhost:8080"],
            ["Host": "Example.COM", "Origin": "HTTPS://example.com"],
            ["Host": "[::1]:80", "Origin": "http://[::1]:80"],
            ["Origin": "https://example.com"],
        ] as [Headers]
    )
    func `a request from the same site or from no browser is accepted`(headers: Headers) {
        #expect(throws: Never.self) { try check(headers) }
    }

    static let marks = "\u{301}".repeated(3 * 1024)

    @Test(
        arguments: [
            ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": ""],
            ["Sec-Fetch-Site": "Same-Origin"], ["Sec-Fetch-Site": "nonsense"],
            ["Sec-Fetch-Site": "cross-site", "Origin": "https://example.com"], ["Origin": "https://elsewhere.example"],
            ["Origin": "null"], ["Origin": ""], ["Origin": "example.com"], ["Origin": "ftp://example.com"],
            ["Origin": "https://example.com:8443"], ["Host": "example.com:8080", "Origin": "http://example.com"],
            ["Origin": "https://www.example.com"], ["Origin": "https://example.com.elsewhere.example"],
            ["Origin": "https://example.com/"],
            // Combining marks, and the Kelvin sign, which is a capital k in Unicode.
            ["Origin": "https://example.com" + marks], ["Origin": "https" + marks], ["Origin": marks],
            ["Host": "k", "Origin": "https://\u{212A}"],
        ] as [Headers]
    )
    func `a request from another site is rejected`(headers: Headers) throws {
        let host: OptionalFields = headers.count(of: "host") == 0 ? [("Host", "example.com")] : []
        let problem = try #require(throws: Problem.self) { try check(headers.adding(optional: host)) }
        #expect(problem.code == .crossSite)
        #expect(problem.detail?.isEmpty == false)
    }

    @Test(
        arguments: [
            (["Origin": "https://app.example"], true),
            (["Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"], true),
            (["Origin": "https://app.example", "Sec-Fetch-Site": "same-site"], true),
            (["Origin": "http://app.example"], false), (["Origin": "null"], false),
            (["Origin": "https://app.example.elsewhere.example"], false),
            (["Origin": "https://other.example", "Sec-Fetch-Site": "cross-site"], false),
            (["Sec-Fetch-Site": "cross-site"], false),
        ] as [(Headers, Bool)]
    )
    func `a request from another site is accepted only from an allowed origin`(headers: Headers, isAllowed: Bool) throws
    {
        let allowed = try AllowedOrigins("https://app.example")
        let headers = headers.adding(optional: [("Host", "a")])
        #expect(((try? check(headers, allowed: allowed)) != nil) == isAllowed)
        #expect(throws: Problem.self) { try check(headers) }
    }

    @Test func `every method requires the check unless it is safe`() {
        let methods: [Method] = ["POST", "DELETE", "PUT", "PATCH", "get", "TRACE", .get, .head, .options]
        let allowed = methods.filter { (try? check(["Sec-Fetch-Site": "cross-site"], $0)) != nil }
        #expect(allowed == [.get, .head, .options])
    }

    @Test func `the check covers every page and every route that changes something`() async throws {
        let service = UnderstudyService(pages: Page.demo())
        let places = Page.demo().map { (Method.post, "/" + $0.name) } + Route.all.map { ($0.method, $0.path) }
        for (method, path) in places where method != .get {
            for headers in [["Sec-Fetch-Site": "cross-site"], ["Host": "a", "Origin": "https://b"]] as [Headers] {
                let answer = await service.send(Request(method, path, headers: headers))
                #expect(answer.status == 403, "\(method) \(path)")
                #expect(try answer.code == "crossSite", "\(method) \(path)")
                #expect(answer.cookie == nil, "\(method) \(path)")
            }
        }
    }
}
