@testable import HTMLPages

/// What a person without JavaScript sees over several pages.
struct PageFlowTests {
    let browser: Browser

    init() throws { browser = try Browser() }

    func browser(owner: AccountOwnerSpy = AccountOwnerSpy(User(username: "batman"))) throws -> Browser {
        try Browser(Page.demo() + Page.accounts(owner))
    }

    // MARK: Several forms

    @Test(arguments: ["changeEmail", "changePassword", "delete"])
    func `a message is next to the field of the form whose event has given it`(name: String) async throws {
        let browser = try browser()
        await browser.logIn()
        let form = "event=\(name)ButtonPressed&password=x&newPassword=a+new+long+password&newEmail=lisa%40rules.example"
        let page = await browser.submit("/account", form).text
        let forms = page.split(separator: "<form ").dropFirst().map { $0.split(separator: "</form>")[0] }
            .filter { $0.contains("This is not your password") }
        #expect(forms.count == 1)
        #expect(forms.first?.contains(#"data-us-event="\#(name)ButtonPressed""#) == true)
        #expect(forms.first?.contains("aria-invalid") == true)
    }

    @Test func `the page about the account is for users only, and has times without JavaScript`() async throws {
        let browser = try browser()
        #expect(await browser.get("/account").location == "/login?_back=%2Faccount")
        await browser.logIn()
        await browser.get("/account").expect(without: [#"hidden:!username" hidden>"#])
        await browser.submit("/account", "event=exportButtonPressed").expect([">1970-01-01 00:00 UTC<"])
    }

    // MARK: Events that load a page

    @Test func `a user sees what has changed elsewhere, without a click`() async throws {
        let owner = AccountOwnerSpy(User(username: "batman"))
        owner.setEmail("batman@wayne.example")
        let browser = try browser(owner: owner)
        await browser.logIn()
        await browser.get("/account").expect([">batman@wayne.example<"])
        owner.setEmail("bruce@wayne.example")
        await browser.get("/account").expect([">bruce@wayne.example<"])
    }

    @Test func `an event that goes elsewhere when a page loads leads there, without too long a value`() async throws {
        let name = "\u{1F34E}".repeated(1000)
        let home = Page("old", LoadingController { $0.goToPage(.home) })
        let product = Page("long", LoadingController { $0.goToPage(.product, name) })
        let browser = try Browser(Page.demo() + [home, product])
        await browser.logIn()
        #expect(await browser.get("/old").location == "/home")
        #expect(await browser.get("/long").location == "/product")
    }

    @Test func `a page whose load has failed has its status, and the module loads it again`() async throws {
        let failing = Page("bad", LoadingController { _ in throw CollaboratorError.outage(of: "test") })
        let browser = try Browser(Page.demo() + [Page("good", LoadingController { _ in }), failing])
        await browser.logIn()
        await browser.get("/good").expect([#"data-us-loaded="good""#])
        let page = await browser.get("/bad")
        #expect(page.header("Retry-After") == "1")
        page.expect(
            [#"role="alert">The service is not available<"#, #"data-us-load="viewDidLoad""#],
            without: ["data-us-loaded"],
            status: 503
        )
    }

    // MARK: Fields that the event does not read

    @Test func `a form saves what it contains, also without a check before, and not what an earlier event has sent`()
        async
    {
        await browser.logIn()
        for (event, email, location) in [
            ("saveButtonPressed", "first", "/home"), ("emailChanged", "third", "/email"),
            ("saveButtonPressed", "second", "/home"),
        ] {
            #expect(await browser.post("/email", "event=\(event)&email=\(email)%40x.org").location == location)
        }
        _ = await browser.post("/email", "event=viewDidLoad")
        await browser.get("/email").expect([#"data-us-text="email">second@x.org<"#])
    }

    @Test func `an invalid value of a field that the event does not read, or of a link, has its message`() async {
        let long = "a".repeated(255)
        let expected = [#"data-us-error="email">Enter at most 254 characters."#, #"value="\#(long)""#]
        await browser.post("/email", "_key=a&event=saveButtonPressed&email=\(long)").expect(expected, status: 422)
        await browser.get("/email?email=\(long)").expect(expected)
    }

    @Test func `an event that is not safe does not run because its field is in a form`() async throws {
        let calls = LockedValue<[String]>([])
        let browser = try Browser([Page("a", InputController(calls: calls))])
        for form in [
            "_key=a&event=submit&note=1&order=2&code=3", "_key=b&event=submit&note=1", "_key=b&event=submit&note=1",
        ] { _ = await browser.post("/a", form) }
        #expect(calls.value == ["note 1", "submit", "submit"])
    }

    // MARK: A session that has ended

    @Test func `a login does not require the user who was logged in when its page was opened`() async {
        await browser.logIn()
        await browser.get("/email").expect([#"data-us-user="batman""#])
        await browser.get("/login").expect(["data-us-declaration"], without: ["data-us-user"])
    }

    @Test func `a form whose user has logged out leads to the login, and back with what was entered`() async {
        await browser.logIn()
        await browser.get("/email").expect([#"name="_user" value="batman""#])
        _ = await browser.post("/home", "event=logoutButtonPressed")
        let back = "_back=%2Femail%3Femail%3Dlisa%2540rules.example"
        func location(_ page: String, _ form: String) async -> String? { await browser.post(page, form).location }
        let form = "_key=a&_user=batman&event=saveButtonPressed&email=lisa%40rules.example"
        #expect(await location("/email", form) == "/login?\(back)")
        await browser.get("/login?\(back)").expect([
            "Log in to continue.",
            #"name="_back" value="/email?email=lisa%40rules.example""#,
        ])
        #expect(await location("/login", "_key=b&username=batman&password=joker&\(back)") == "/login?\(back)")
        let page = "/email?email=lisa%40rules.example"
        #expect(await location("/login", "_key=c&username=batman&password=bruce&\(back)") == page)
        await browser.get(page).expect([#"value="lisa@rules.example""#])
    }

    @Test(arguments: [200, 250])
    func `what was entered is in the path back unless the server would reject the target as too long`(count: Int) async
    {
        let text = "ä".repeated(count).queryEncoded
        let answer = await browser.post("/register", "_user=batman&event=textFieldDidEndEditing&userID=\(text)")
        let values = count == 200 ? "%3FuserID%3D\(text.queryEncoded)" : ""
        #expect(answer.location == "/login?_back=%2Fregister\(values)")
    }

    @Test func `a page whose event has led to another one does not show the errors of events before`() async {
        let wrong = "Wrong username or password"
        await browser.submit("/login", "_key=a&username=batman&password=joker").expect([wrong])
        await browser.get("/login").expect([wrong])
        await browser.logIn()
        await browser.get("/login").expect(without: [wrong])
    }

    @Test func `a path back never contains a secret`() async {
        let answer = await browser.post("/signup", "_user=lisa&name=Lisa&email=a%40b.c&password=s3cret!")
        #expect(answer.location == "/login?_back=%2Fsignup%3Fname%3DLisa%26email%3Da%2540b.c")
    }

    @Test(arguments: ["//evil.example", "/nowhere", "https://evil.example/email", "/email%0d%0aX:1", "/email%23a"])
    func `a login leads only to pages of the service`(back: String) async {
        await browser.get("/login?_back=\(back)").expect(without: ["Log in to continue"])
        #expect(await browser.post("/login", "username=batman&password=bruce&_back=\(back)").location == "/home")
    }

    // MARK: Alerts

    @Test func `an alert before a destination is shown on the page that follows, once`() async throws {
        let browser = try Browser([Page("a", AlertingController()), Page("b", LoadingController { _ in })])
        await browser.submit("/a", "_key=a").expect([#"data-us-page="b""#, #"role="alert">Stored &lt;it&gt;<"#])
        await browser.get("/b").expect(without: ["role=\"alert\""])
        let other = try Browser()
        other.headers.append((.cookie, "alert=1.x.99999999999999999999"))
        await other.get("/login").expect(without: ["role=\"alert\""])
    }

    // MARK: Content

    @Test func `the home page without a user leads to the login, and the product page without a product to them`() async
    {
        await browser.get("/product").expect([
            #"hidden:product">No product is selected."#, "<title>Product – Understudy</title>",
        ])
        #expect(await browser.get("/home?a=%2F&b").location == "/login?_back=%2Fhome%3Fa%3D%252F%26b")
        await browser.logIn()
        await browser.get("/home").expect([#"hidden:username" hidden>You are not logged in."#])
    }

    @Test func `a sign-up that has succeeded leads to the login with the address, and shows no form`() async {
        let form = "_key=a&name=Lisa&email=lisa%2Brules%40x.example&password=eighteen+long+words"
        await browser.submit("/signup", form).expect(
            [#"class="alert">You have signed up.<"#, #"<a href="/login?username=lisa%2Brules%40x.example">"#],
            without: ["<form method=\"post\" action=\"/signup\""]
        )
        await browser.get("/login?username=lisa%2Brules%40x.example").expect([
            #"name="username" type="text" value="lisa+rules@x.example""#
        ])
    }

    // MARK: Links

    @Test func `a link shows a product, and its title names it`() async {
        let page = await browser.get("/product?product=Car")
        page.expect(["<title>Car – Understudy</title>", "A beautiful car"])
        #expect(page.header("Set-Cookie")?.hasPrefix("session=") == true)
        browser.headers.append(("Sec-Fetch-Site", "cross-site"))
        await browser.get("/product?product=Boat").expect([#"role="alert">Product not valid<"#])
    }

    @Test func `a link fills fields, but no secrets, and sends nothing`() async {
        let page = await browser.get("/signup?name=Lisa&password=s3cret!&_key=mine&nowhere=1&event=submitButtonPressed")
        page.expect([#"name="name" type="text" value="Lisa""#], without: ["s3cret", "mine"])
        #expect(page.header("Referrer-Policy") == "same-origin")
        await browser.get("/signup").expect(without: ["Lisa"])
    }

    @Test func `a link fills a secret field only if it is declared, and then names no referrer`() async throws {
        let browser = try Browser([Page("a", InputController(calls: LockedValue([])))])
        let page = await browser.get("/a?code=12345678&pin=4711")
        page.expect([#"value="12345678""#], without: ["4711"])
        #expect(page.header("Referrer-Policy") == "no-referrer")
        await browser.get("/a").expect(without: ["12345678"])
    }
}

private struct InputController: Script {
    static let note = Field<String>("note")
    static let order = Field<String>("order")
    static let code = Field<String>("code", isSecret: true, fromLink: true)
    static let pin = Field<String>("pin", isSecret: true)
    static let events: EventTable<Scripted<InputController>> = [
        .event("noteChanged", reads: note) { $0.add("note \($1)") }.safe(),
        .event("orderPlaced", reads: order) { $0.add("order \($1)") },
        .event("codeEntered", reads: code, pin) { controller, _, _ in controller.add("code") },
        .default("submit") { $0.add("submit") },
    ]

    let calls: LockedValue<[String]>
    var add: (String) -> Void { { call in calls.append(call) } }
}

private struct AlertingController: Script {
    static let quiet = Destination("quiet", page: "b")
    static let stored = Message.notice(code: "a.stored", text: "Stored <it>")
    static let events: EventTable<Scripted<AlertingController>> = [
        .default("store", gives: [.alerts(stored), .goes(to: quiet)]) {
            $0.showAlert(stored)
            $0.goToPage(quiet)
        }
    ]
}

/// A page that does what a test says when it loads.
private struct LoadingController: Script {
    static let events: EventTable<Scripted<LoadingController>> = [
        .default("viewDidLoad", gives: [.goes(to: .home)]) { try $0.load($0) }.safe()
    ]

    let load: (Scripted<LoadingController>) throws -> Void
}
