import BundledPages
import SessionStorage
import Synchronization
import TestSupport
import Understudy

@testable import HTMLPages

/// What a person without JavaScript sees over several pages.
@Suite struct PageFlowTests {
    private let browser: Browser

    init() throws {
        browser = try Browser()
    }

    private func browser(owner: AccountOwnerSpy = AccountOwnerSpy(User(username: "batman"))) throws -> Browser {
        try Browser(Page.demo() + Page.accounts(owner))
    }

    private func logIn(_ browser: Browser) async {
        _ = await browser.post("/login", "_key=l&username=batman&password=bruce")
    }

    // MARK: Several forms

    @Test(arguments: ["changeEmail", "changePassword", "delete"])
    func `a message is next to the field of the form whose event has given it`(name: String) async throws {
        let browser = try browser()
        await logIn(browser)
        let form = "event=\(name)ButtonPressed&password=x&newPassword=a+new+long+password&newEmail=lisa%40rules.example"
        let page = await browser.submit("/account", form).text
        let forms = page.split(separator: "<form ").dropFirst().map { $0.split(separator: "</form>")[0] }
            .filter { $0.contains("This is not your password") }
        #expect(forms.count == 1)
        #expect(forms.first?.contains(#"data-us-event="\#(name)ButtonPressed""#) == true)
        #expect(forms.first?.contains("aria-invalid") == true)
    }

    @Test func `the page about the account shows forms only to a user, and times without JavaScript`() async throws {
        let browser = try browser()
        let hidden = #"hidden:!username" hidden>"#
        #expect(await browser.get("/account").text.contains(hidden))
        await logIn(browser)
        #expect(!(await browser.get("/account").text.contains(hidden)))
        let page = await browser.submit("/account", "event=exportButtonPressed").text
        #expect(page.contains(">1970-01-01 00:00 UTC<"))
    }

    // MARK: Events that load a page

    @Test func `a user sees what has changed elsewhere, without a click`() async throws {
        let owner = AccountOwnerSpy(User(username: "batman"))
        owner.setEmail("batman@wayne.example")
        let browser = try browser(owner: owner)
        #expect(!(await browser.get("/account").text.contains(">batman@wayne.example<")))
        await logIn(browser)
        #expect(await browser.get("/account").text.contains(">batman@wayne.example<"))
        owner.setEmail("bruce@wayne.example")
        #expect(await browser.get("/account").text.contains(">bruce@wayne.example<"))
    }

    @Test func `an event that goes elsewhere when a page loads leads there`() async throws {
        let browser = try Browser(Page.demo() + [Page("old", MovedController())])
        await logIn(browser)
        let answer = await browser.get("/old")
        #expect(answer.status == 303)
        #expect(answer.header("Location") == "/home")
    }

    @Test func `a page whose load has failed has its status, and the module loads it again`() async throws {
        let pages = ["good", "bad"].map { Page($0, LoadingController(fails: $0 == "bad")) }
        let browser = try Browser(Page.demo() + pages)
        await logIn(browser)
        #expect(await browser.get("/good").text.contains(#"data-us-loaded="good""#))
        let page = await browser.get("/bad")
        #expect(page.status == 503)
        #expect(page.header("Retry-After") == "1")
        #expect(page.text.contains(#"role="alert">The service is not available<"#))
        #expect(!page.text.contains("data-us-loaded"))
        #expect(page.text.contains(#"data-us-load="viewDidLoad""#))
    }

    // MARK: Fields that the event does not read

    @Test func `a form saves what it contains, and not what an earlier event has sent`() async {
        await logIn(browser)
        _ = await browser.submit("/email", "_key=a&event=emailChanged&email=first%40x.org")
        _ = await browser.submit("/email", "_key=b&event=saveButtonPressed&email=first%40x.org")
        let answer = await browser.post("/email", "_key=c&event=saveButtonPressed&email=second%40x.org")
        #expect(answer.header("Location") == "/home")
        _ = await browser.post("/email", "event=viewDidLoad")
        #expect(await browser.get("/email").text.contains(#"data-us-text="email">second@x.org<"#))
    }

    @Test func `a first valid address is saved without a check before`() async {
        await logIn(browser)
        let answer = await browser.post("/email", "_key=a&event=saveButtonPressed&email=lisa%40rules.example")
        #expect(answer.header("Location") == "/home")
    }

    @Test func `an invalid value of a field that the event does not read rejects the form`() async {
        let long = String(repeating: "a", count: 255)
        let answer = await browser.post("/email", "_key=a&event=saveButtonPressed&email=\(long)")
        #expect(answer.status == 422)
        #expect(answer.text.contains(#"data-us-error="email">Enter at most 254 characters."#))
    }

    @Test func `an event that is not safe does not run because its field is in a form`() async throws {
        let calls = LockedValue<[String]>([])
        let browser = try Browser([Page("a", InputController(calls: calls))])
        _ = await browser.post("/a", "_key=a&event=submit&note=1&order=2&code=3")
        #expect(calls.value == ["note 1", "submit"])
        _ = await browser.post("/a", "_key=b&event=submit&note=1")
        #expect(calls.value == ["note 1", "submit", "submit"])
        _ = await browser.post("/a", "_key=b&event=submit&note=1")
        #expect(calls.value == ["note 1", "submit", "submit"])
    }

    // MARK: A session that has ended

    @Test func `a login does not require the user who was logged in when its page was opened`() async {
        await logIn(browser)
        #expect(await browser.get("/email").text.contains(#"data-us-user="batman""#))
        let login = await browser.get("/login").text
        #expect(login.contains("data-us-declaration") && !login.contains("data-us-user"))
    }

    @Test func `a form whose user has logged out leads to the login, and back with what was entered`() async {
        await logIn(browser)
        #expect(await browser.get("/email").text.contains(#"name="_user" value="batman""#))
        _ = await browser.post("/home", "event=logoutButtonPressed")
        let form = "_key=a&_user=batman&event=saveButtonPressed&email=lisa%40rules.example"
        let answer = await browser.post("/email", form)
        #expect(answer.status == 303)
        #expect(answer.header("Location") == "/login?_back=%2Femail%3Femail%3Dlisa%2540rules.example")
        let login = await browser.get(answer.header("Location") ?? "")
        #expect(login.text.contains("Your session has ended. Log in to continue."))
        #expect(login.text.contains(#"name="_back" value="/email?email=lisa%40rules.example""#))
        let back = "_back=%2Femail%3Femail%3Dlisa%2540rules.example"
        let wrong = await browser.post("/login", "_key=b&username=batman&password=joker&\(back)")
        #expect(wrong.header("Location") == "/login?\(back)")
        let right = await browser.post("/login", "_key=c&username=batman&password=bruce&\(back)")
        #expect(right.header("Location") == "/email?email=lisa%40rules.example")
        #expect(await browser.get("/email?email=lisa%40rules.example").text.contains(#"value="lisa@rules.example""#))
    }

    @Test(arguments: [200, 250])
    func `what was entered is in the path back unless the server would reject the target as too long`(
        count: Int
    ) async {
        let text = String(repeating: "ä", count: count).queryEncoded
        let answer = await browser.post("/register", "_user=batman&event=textFieldDidEndEditing&userID=\(text)")
        let values = count == 200 ? "%3FuserID%3D\(text.queryEncoded)" : ""
        #expect(answer.header("Location") == "/login?_back=%2Fregister\(values)")
    }

    @Test func `a page whose event has led to another one does not show the errors of events before`() async {
        let wrong = "Wrong username or password"
        #expect(await browser.submit("/login", "_key=a&username=batman&password=joker").text.contains(wrong))
        #expect(await browser.get("/login").text.contains(wrong))
        await logIn(browser)
        #expect(!(await browser.get("/login").text.contains(wrong)))
    }

    @Test func `a path back never contains a secret`() async {
        let answer = await browser.post("/signup", "_user=lisa&name=Lisa&email=a%40b.c&password=s3cret!")
        #expect(answer.header("Location") == "/login?_back=%2Fsignup%3Fname%3DLisa%26email%3Da%2540b.c")
    }

    @Test(arguments: ["//evil.example", "/nowhere", "https://evil.example/email", "/email%0d%0aX:1", "/email%23a"])
    func `a login leads only to pages of the service`(back: String) async {
        #expect(!(await browser.get("/login?_back=\(back)").text.contains("Log in to continue")))
        let answer = await browser.post("/login", "username=batman&password=bruce&_back=\(back)")
        #expect(answer.header("Location") == "/home")
    }

    // MARK: Alerts

    @Test func `an alert before a destination is shown on the page that follows, once`() async throws {
        let browser = try Browser([Page("a", AlertingController()), Page("b", QuietController())])
        let page = await browser.submit("/a", "_key=a")
        #expect(page.text.contains(#"data-us-page="b""#))
        #expect(page.text.contains(#"role="alert">Stored &lt;it&gt;<"#))
        #expect(!(await browser.get("/b").text.contains("role=\"alert\"")))
        let other = try Browser()
        other.headers.append((.cookie, "alert=1.x.99999999999999999999"))
        #expect(!(await other.get("/login").text.contains("role=\"alert\"")))
    }

    // MARK: Content

    @Test func `the home page without a user leads to the login`() async {
        let page = await browser.get("/home").text
        #expect(page.contains(#"hidden:username">You are not logged in. <a href="/login">"#))
        await logIn(browser)
        #expect(await browser.get("/home").text.contains(#"hidden:username" hidden>You are not logged in."#))
    }

    @Test func `the product page without a product leads to the products`() async {
        let page = await browser.get("/product").text
        #expect(page.contains(#"hidden:product">No product is selected."#))
        #expect(page.contains("<title>Product – Understudy</title>"))
    }

    @Test func `a sign-up that has succeeded leads to the login with the address, and shows no form`() async {
        let form = "_key=a&name=Lisa&email=lisa%2Brules%40x.example&password=eighteen+long+words"
        let page = await browser.submit("/signup", form).text
        #expect(page.contains(#"role="alert">Successful<"#))
        #expect(page.contains(#"<a href="/login?username=lisa%2Brules%40x.example">"#))
        #expect(!page.contains("<form method=\"post\" action=\"/signup\""))
        let login = await browser.get("/login?username=lisa%2Brules%40x.example").text
        #expect(login.contains(#"name="username" type="text" value="lisa+rules@x.example""#))
    }

    // MARK: Links

    @Test func `a link shows a product, and its title names it`() async {
        let page = await browser.get("/product?product=Car")
        #expect(page.text.contains("<title>Car – Understudy</title>"))
        #expect(page.text.contains("A beautiful car"))
        #expect(page.header("Set-Cookie")?.hasPrefix("session=") == true)
        browser.headers.append(("Sec-Fetch-Site", "cross-site"))
        #expect(await browser.get("/product?product=Boat").text.contains(#"role="alert">Product not valid<"#))
    }

    @Test func `a link fills fields, but no secrets, and sends nothing`() async {
        let page = await browser.get("/signup?name=Lisa&password=s3cret!&_key=mine&nowhere=1&event=submitButtonPressed")
        #expect(page.text.contains(#"name="name" type="text" value="Lisa""#))
        #expect(!page.text.contains("s3cret"))
        #expect(!page.text.contains("mine"))
        #expect(page.header("Referrer-Policy") == "same-origin")
        #expect(!(await browser.get("/signup").text.contains("Lisa")))
    }

    @Test func `a wrong value of a link has its message next to the field`() async {
        let long = String(repeating: "a", count: 255)
        let page = await browser.get("/email?email=\(long)").text
        #expect(page.contains(#"data-us-error="email">Enter at most 254 characters."#))
        #expect(page.contains(#"value="\#(long)""#))
    }

    @Test func `a link fills a secret field only if it is declared, and then names no referrer`() async throws {
        let browser = try Browser([Page("a", InputController(calls: LockedValue([])))])
        let page = await browser.get("/a?code=12345678&pin=4711")
        #expect(page.text.contains(#"value="12345678""#))
        #expect(!page.text.contains("4711"))
        #expect(page.header("Referrer-Policy") == "no-referrer")
        #expect(!(await browser.get("/a").text.contains("12345678")))
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
    var add: (String) -> Void { { call in calls.change { $0.append(call) } } }
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

private struct QuietController: Script {
    static let shown = Output<String>("shown")
    static let events: EventTable<Scripted<QuietController>> = [
        .default("viewDidLoad", gives: [.renders(shown)]) { $0.render(shown, "b") }.safe(),
        .event("go") { _ in },
    ]
}

/// A page that another one has replaced.
private struct MovedController: Script {
    static let events: EventTable<Scripted<MovedController>> = [
        .default("viewDidLoad", gives: [.goes(to: .home)]) { $0.goToPage(.home) }.safe()
    ]
}

/// A page that loads itself, or fails to.
private struct LoadingController: Script {
    static let events: EventTable<Scripted<LoadingController>> = [
        .default("viewDidLoad") {
            if $0.fails { throw CollaboratorError.unavailable(retryAfter: .seconds(1), part: "test") }
        }.safe()
    ]

    let fails: Bool
}
