import RateLimiting

@testable import HTMLPages

struct HTMLPagesTests {
    let browser: Browser

    init() throws { browser = try Browser() }

    // MARK: HTML or JSON

    @Test(arguments: [
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true), ("text/html", true),
        ("application/json;q=0.9, text/html", true), ("*/*", false), ("application/json", false), ("", false),
        ("application/json, text/html", false), ("application/json, text/html;q=0.9", false), ("text/html;q=0", false),
        ("text/plain", false), ("TEXT/HTML", true), ("text/html;q=x", false),
        ("*/*, text/html;q=0.9", false), ("application/*, text/html;q=0.9", false), ("text/html, */*", true),
        ("text/html;q=0.5, application/*;q=0.4, */*", true), ("*/*, application/json;q=0.1, text/html;q=0.2", true),
    ])
    func `a client gets HTML if it prefers HTML to JSON`(accept: String, isHTML: Bool) async {
        browser.headers = [("Accept", accept)]
        #expect(await browser.get("/login").isHTML == isHTML)
        #expect(await browser.get("/nowhere").isHTML == isHTML)
        #expect(await browser.post("/register", "userID=1").status == (isHTML ? 303 : 200))
        // A hidden key is a field that no event reads, unless the client is a browser.
        #expect(await browser.post("/register", "_key=1&userID=1").status == (isHTML ? 303 : 422))
    }

    @Test func `without browser pages, a browser gets JSON`() async {
        let browser = Browser(UnderstudyService(pages: Page.demo()))
        #expect(await browser.get("/login").header("Content-Type") == "application/json")
        #expect(await browser.get("/understudy.js").status == 404)
        #expect(await browser.post("/register", "userID=1").status == 200)
        #expect(await browser.post("/register", "_key=1&userID=1").status == 422)
    }

    // MARK: Forms

    @Test func `a page that has not been used shows the form of its default event`() async {
        let page = await browser.get("/login")
        page.expect([#"<input type="hidden" name="event" value="loginButtonPressed">"#, #"name="_key""#, "alfred"]
        )
        #expect(page.header("Cache-Control") == "no-store")
    }

    @Test func `a session starts with the first page, so that its form has one effect`() async {
        #expect(await browser.get("/login").header("Set-Cookie")?.hasPrefix("session=") == true)
        #expect(await browser.get("/register").header("Set-Cookie") == nil)
        #expect(await browser.get("/nowhere").header("Set-Cookie") == nil)
        // Other clients start a session with their first event.
        browser.headers = []
        #expect(await Browser(browser.service).get("/docs").header("Set-Cookie") == nil)
    }

    @Test func `a person who has missed the response to a login begins anew`() async {
        let old = await browser.get("/login").header("Set-Cookie")?.prefix { $0 != ";" }
        await browser.logIn()
        let other = Browser(browser.service)
        other.headers.append((.cookie, old.map(String.init) ?? ""))
        let page = await other.get("/login")
        #expect(page.status == 200)
        #expect(page.header("Set-Cookie")?.hasPrefix("session=") == true)
    }

    @Test func `a form to which a command leads is not sent with the values that it keeps`() async {
        await browser.logIn()
        _ = await browser.post("/register", "userID=012345678912")
        let before = await browser.get("/session/history")
        #expect(await browser.post("/home", "event=registerButtonPressed").location == "/register")
        let after = await browser.get("/session/history")
        #expect(before.text.split(separator: "sequence").count + 1 == after.text.split(separator: "sequence").count)
    }

    @Test func `a rejected form is shown again with its message and values, but without secrets`() async {
        let answer = await browser.post("/login", "event=loginButtonPressed&_key=a&username=robin&password=s3cret!")
        #expect(answer.location == "/login")
        #expect(answer.response.body.isEmpty)
        for _ in 1...2 {
            await browser.get("/login").expect(["Wrong username or password", #"value="robin""#], without: ["s3cret"])
        }
    }

    @Test func `an error about a field is next to it`() async {
        await browser.submit("/register", "userID=12").expect([
            #"data-us-error="userID">A user ID has exactly twelve digits"#, #"aria-invalid="true""#,
        ])
        await browser.submit("/register", "userID=012345+678912").expect(
            ["012345678912</output>"],
            without: [#"aria-invalid="true""#]
        )
    }

    @Test func `a login leads to the home page, which has run its default event`() async {
        #expect(await browser.get("/").location == "/login")
        #expect(await browser.post("/login", "username=batman&password=bruce").location == "/home")
        await browser.get("/home").expect([">batman</strong>"])
        #expect(await browser.get("/").location == "/home")
    }

    @Test func `a command's values show the destination`() async {
        await browser.submit("/products", "event=onStart").expect([#"value="Car""#])
        await browser.submit("/products", "event=onSelected&product=Car").expect(["A beautiful car"])
    }

    @Test func `pages that lead to each other end`() async throws {
        let browser = try Browser([Page("a", FirstController()), Page("b", SecondController())])
        #expect(await ["/a", "/b"].contains(browser.post("/a", "").location))
    }

    // MARK: Keys

    @Test func `a form that is sent twice has one effect`() async {
        _ = await browser.get("/login")
        for _ in 1...7 { #expect(await browser.post("/login", "_key=a&username=batman&password=x").status == 303) }
        // Otherwise, the page would be locked.
        #expect(await browser.logIn().location == "/home")
    }

    @Test func `a form that is sent twice with other values has one effect, and is shown again with a new key`() async {
        _ = await browser.post("/register", "_key=a&userID=1")
        await browser.post("/register", "_key=a&userID=012345678912").expect(
            ["You have already sent this form with other values", #"value="012345678912""#],
            without: [#"name="_key" value="a""#],
            status: 422
        )
        await browser.get("/register").expect(without: ["012345678912"])
        await browser.submit("/register", "_key=b&userID=012345678912").expect(["012345678912</output>"])
    }

    @Test(arguments: [("a&_key=b", 303), ("a".repeated(256), 400)])
    func `of two hidden keys, the first counts, and an invalid key is a problem`(key: String, status: Int) async {
        let answer = await browser.post("/register", "_key=\(key)&userID=1")
        #expect(answer.status == status)
        #expect(answer.isHTML == (status == 400))
    }

    // MARK: Problems

    @Test func `a problem is a page with its status and a way back`() async {
        let page = await browser.get("/nowhere")
        page.expect([#"<a href="/">Back</a>"#], status: 404)
        #expect(page.isHTML)
        await browser.post("/register", "event=unknown").expect([#"<a href="/register">Back</a>"#], status: 422)
        let method = await browser.post("/livez", "a=1")
        #expect(method.status == 405 && method.header("Allow") == "GET, HEAD, OPTIONS")
    }

    @Test(
        arguments: [
            "//evil.example/login", "/\\evil.example/login", "/%2fevil.example", "//evil.example//login", "/login/",
            "/login?next=//evil.example",
            "/nowhere", "///evil.example",
        ]
    )
    func `a rejected form leads to a page of the service, or to the start`(target: String) async {
        for site in ["cross-site", "same-origin"] {
            let browser = Browser(browser.service)
            browser.headers.append(("Sec-Fetch-Site", site))
            for form in ["event=unknown", "{"] {
                let answer = await browser.post(target, form)
                let links = answer.text.matches(of: /href="([^"]*)">Back</).map { String($0.1) }
                #expect(links == [target.hasPrefix("/login?") ? "/login" : "/"], "\(answer.status) \(answer.text)")
            }
        }
    }

    @Test(arguments: [
        (RequestRejection.bodyTooLarge(limit: 1), 413), (.targetTooLong(limit: 1), 414),
        (.headersTooLarge(limit: 1), 431), (.misdirectedRequest(host: "<a>"), 421),
    ])
    func `what the engine rejects is a page for a browser, and JSON for other clients`(
        rejection: RequestRejection,
        status: Int
    ) {
        let request = Request(.post, "/login", headers: Headers(browser.headers))
        let page = Answer(browser.service.reject(rejection, of: request))
        #expect(page.status == status)
        #expect(page.isHTML)
        #expect(page.header("X-Request-ID") != nil)
        #expect(!page.text.contains("<a>"))
        let other = Answer(browser.service.reject(rejection, of: Request(.post, "/login")))
        #expect(other.status == status)
        #expect(other.header("Content-Type") == "application/problem+json")
    }

    @Test func `a form of another site has no effect`() async {
        browser.headers.append(("Sec-Fetch-Site", "cross-site"))
        let answer = await browser.post("/register", "userID=012345678912")
        #expect(answer.status == 403)
        #expect(answer.isHTML)
        #expect(answer.header("Set-Cookie") == nil)
    }

    @Test(arguments: [("/login", "text/html; charset=utf-8"), ("/understudy.js", nil)])
    func `one request of a browser counts as one, also for a static file`(path: String, limited: String?) async throws {
        let service = try Browser { $0.requests = .init(2, per: .seconds(60)) }.service
        // Requests without an address are not limited; those of this machine are not either.
        let address = try #require(IPAddress("192.0.2.7"))
        let headers = path == "/login" ? Headers(browser.headers) : Headers()
        for status in [200, 200, 429] {
            let response = await service.respond(to: Request(.get, path, headers: headers, clientAddress: address))
            #expect(response.status == status)
            if let limited { #expect(response.contentType?.description == limited) }
        }
    }

    // MARK: Content

    @Test(arguments: ["/login", "/nowhere", "/docs"])
    func `a page loads nothing of other sites, no other site loads it, and it uses no camera`(path: String) async throws
    {
        let page = await browser.get(path)
        let policy = try #require(page.header("Content-Security-Policy"))
        for directive in [
            "default-src 'self'", "require-trusted-types-for 'script'", "; img-src 'self' data:; ",
            "frame-ancestors 'none'",
        ] { #expect(policy.contains(directive)) }
        page.expect(without: ["<style", "style=", "onclick"], status: path == "/nowhere" ? 404 : 200)
        #expect(page.header("Cross-Origin-Resource-Policy") == "same-origin")
        let permissions = try #require(page.header("Permissions-Policy"))
        for feature in ["camera", "microphone", "geolocation"] { #expect(permissions.contains("\(feature)=()")) }
    }

    @Test func `the policy also allows pictures of the sites that an embedder names`() async throws {
        let origins = try ImageOrigins("https://images.example, HTTPS://cdn.example:8443")
        let browser = try Browser(as: HTMLPages(imageOrigins: origins))
        let policy = try #require(await browser.get("/login").header("Content-Security-Policy"))
        #expect(policy.contains("; img-src 'self' data: https://images.example https://cdn.example:8443; "))
    }

    @Test(arguments: [
        "http://a.example", "https://*", "https://a.example/b", "https://a.example;x", "",
        "https://a.example 'unsafe-inline'",
    ])
    func `only origins with https are origins of pictures`(list: String) {
        #expect(throws: ListEntryError.self) { _ = try ImageOrigins(list) }
    }

    @Test func `texts and messages are in the language of the browser`() async {
        browser.headers.append(("Accept-Language", "de-AT,de;q=0.9,en;q=0.8"))
        let page = await browser.submit("/login", "username=batman&password=x")
        page.expect([#"<html lang="de">"#, "Der Benutzername oder das Passwort ist falsch", "Benutzername</label>"])
        #expect(page.header("Content-Language") == "de")
        #expect(page.header("Vary") == "Accept, Accept-Language")
    }

    @Test func `the start of other pages is a list of them`() async throws {
        await (try Browser([Page("a", FirstController())])).get("/").expect([#"<a href="/a">A</a>"#])
    }

    @Test(arguments: ["/openapi.yaml", "/livez", "/session"])
    func `what is neither a page nor a problem stays as it is`(path: String) async {
        let answer = await browser.get(path)
        #expect(answer.isHTML == (path == "/session"))
        #expect(answer.status == (path == "/session" ? 401 : 200))
    }

    // MARK: Static files

    @Test(arguments: ["/login", "/products", "/nowhere", "/session"])
    func `what can contain a secret is never compressed`(path: String) async {
        browser.headers.append(("Accept-Encoding", "gzip"))
        #expect(await browser.get(path).header("Content-Encoding") == nil)
        #expect(await browser.post(path, "username=batman&password=bruce").header("Content-Encoding") == nil)
    }

    @Test func `all responses with a file have the same common headers, so that none leaves some behind`() async throws
    {
        let path = try #require(
            await browser.get("/login").text.firstMatch(of: /src="(\/understudy-[0-9a-f]{16}\.js)"/)?.1
        )
        for path in ["/understudy.js", String(path)] {
            let first = await browser.get(path).response
            #expect(await browser.get(path).response.common == first.common)
            let changed = Browser(browser.service)
            changed.headers.append(("If-None-Match", "*"))
            #expect(await changed.get(path).response.common == first.common)
        }
    }

    @Test(arguments: [
        (
            "// Why\n/** What */\n\nif (a) {\n\t\tb(); // Here\n    /* c */ d();\n}",
            "if(a){\nb();//Here\n/* c */d();\n}", true
        ),
        ("const { a = 1 } = b ?? {};", "const{a=1}=b??{};", true),
        ("return typeof a in b", "return typeof a in b", true), ("x = a + +b - -c;", "x=a + +b - -c;", true),
        (#"f('a, \' = b', "c = d" , e)"#, #"f('a, \' = b',"c = d",e)"#, true),
        (#"a = b / c; d = /[']  \/ / ; e = f"#, #"a=b/c;d=/[']  \/ /;e=f"#, true),
        ("a = `b = ${ c ? `d , e` : '' } , f` + g", "a=`b = ${ c ? `d , e` : '' } , f`+ g", true),
        ("a = 'b = c", "a='b = c", true),
        ("/* Why */\na { b: c d; e: f, g; }\n\n  h:i > j :is(k, l) { }", "a{b:c d;e:f,g;}\nh:i > j :is(k,l){}", false),
        (#"a::before { content: "b; c " / ""; }"#, #"a::before{content:"b; c " / "";}"#, false),
        ("@media (a: b) and (c) { d { e: calc(2 * f); } }", "@media (a:b) and (c){d{e:calc(2 * f);}}", false),
    ])
    func `scripts and styles are sent without comments and without spaces that separate nothing`(
        text: String,
        sent: String,
        isScript: Bool
    ) {
        let compacted = "// The licence\n\(text)\n".bytes.compacted(isScript: isScript)
        // What follows the first line.
        #expect(compacted.dropLast().text.replacing("// The licence\n", with: "") == sent)
    }

    @Test(arguments: try Checkout.files(below: "Sources", endingIn: ".js"))
    func `each line of a script can be shortened for itself: no template has several lines`(script: String) throws {
        for line in try Checkout.text(script).utf8.split(separator: UInt8(ascii: "\n")) {
            #expect(line.count { $0 == UInt8(ascii: "`") }.isMultiple(of: 2), "\(Substring(line))")
        }
    }

    // MARK: Embedders

    @Test func `all addresses begin with the prefix`() async throws {
        let browser = try Browser(below: "/shop")
        await browser.get("/shop/login").expect([#"action="/shop/login""#, #"href="/shop/understudy-"#])
        for path in ["/shop/understudy.js", "/shop/docs"] { #expect(await browser.get(path).status == 200) }
        #expect(await browser.post("/shop/login", "username=batman&password=bruce").location == "/shop/home")
        #expect(await browser.get("/shop/").location == "/shop/home")
    }

    @Test func `sessions in a database work as well`() async throws {
        let browser = try Browser { ($0.sessionStore, $0.sessionMode) = (FaultySessions(), .database) }
        for _ in 1...2 { #expect(await browser.logIn().location == "/home") }
        await browser.get("/home").expect([">batman</strong>"])
    }
}

private struct FirstController: Script {
    static let second = Destination("second", page: "b")
    static let events: EventTable<Scripted<FirstController>> = [
        .default("go", gives: [.goes(to: second)]) { $0.goToPage(second) }
    ]
}

private struct SecondController: Script {
    static let first = Destination("first", page: "a")
    static let events: EventTable<Scripted<SecondController>> = [
        .default("go", gives: [.goes(to: first)]) { $0.goToPage(first) }
    ]
}
