import TestSupport

@testable import Understudy
@testable import UnderstudyPages

@Suite struct CrossSiteTests {
    private func check(
        _ headers: Headers,
        _ method: Method = .post,
        allowed: AllowedOrigins = AllowedOrigins()
    ) throws {
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

    private static let marks = String(repeating: "\u{301}", count: 3 * 1024)

    @Test(
        arguments: [
            ["Host": "example.com", "Sec-Fetch-Site": "cross-site"],
            ["Host": "example.com", "Sec-Fetch-Site": "same-site"],
            ["Host": "example.com", "Sec-Fetch-Site": ""], ["Host": "example.com", "Sec-Fetch-Site": "Same-Origin"],
            ["Host": "example.com", "Sec-Fetch-Site": "nonsense"],
            ["Host": "example.com", "Sec-Fetch-Site": "cross-site", "Origin": "https://example.com"],
            ["Host": "example.com", "Origin": "https://elsewhere.example"], ["Host": "example.com", "Origin": "null"],
            ["Host": "example.com", "Origin": ""], ["Host": "example.com", "Origin": "example.com"],
            ["Host": "example.com", "Origin": "ftp://example.com"],
            ["Host": "example.com", "Origin": "https://example.com:8443"],
            ["Host": "example.com:8080", "Origin": "http://example.com"],
            ["Host": "example.com", "Origin": "https://www.example.com"],
            ["Host": "example.com", "Origin": "https://example.com.elsewhere.example"],
            ["Host": "example.com", "Origin": "https://example.com/"],
            // Combining marks, and the Kelvin sign, which is a capital k in Unicode.
            ["Host": "example.com", "Origin": "https://example.com" + marks],
            ["Host": "example.com", "Origin": "https" + marks], ["Host": "example.com", "Origin": marks],
            ["Host": "k", "Origin": "https://\u{212A}"],
        ] as [Headers]
    )
    func `a request from another site is rejected`(headers: Headers) throws {
        let problem = try #require(throws: Problem.self) {
            try check(headers)
        }
        #expect(problem.code == .crossSite)
        #expect(problem.detail?.isEmpty == false)
    }

    @Test(
        arguments: [
            (["Host": "a", "Origin": "https://app.example"], true),
            (["Host": "a", "Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"], true),
            (["Host": "a", "Origin": "https://app.example", "Sec-Fetch-Site": "same-site"], true),
            (["Host": "a", "Origin": "http://app.example"], false), (["Host": "a", "Origin": "null"], false),
            (["Host": "a", "Origin": "https://app.example.elsewhere.example"], false),
            (["Host": "a", "Origin": "https://other.example", "Sec-Fetch-Site": "cross-site"], false),
            (["Host": "a", "Sec-Fetch-Site": "cross-site"], false),
        ] as [(Headers, Bool)]
    )
    func `a request from another site is accepted only from an allowed origin`(
        headers: Headers,
        isAllowed: Bool
    ) throws {
        let allowed = try AllowedOrigins("https://app.example")
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
        let places =
            Page.demo().map { (Method.post, "/" + $0.name) } + Route.all.map { ($0.method, $0.path) }
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
