@testable import HTMLPages

/// The forms of pages without a template, and what a form shows after the service has rejected it.
struct FormTests {
    let browser: Browser

    static let content = Result { try HTMLPages() }

    init() throws { browser = try Browser(Self.pages, as: Self.content.get()) }

    static let pages = [OrderController.page, Page("appointment", AppointmentController())]
    static let row = "lines.0.product=tea&lines.0.size=small&lines.0.count=2"
    static let order = "\(row)&day=2027-03-01"
    static let appointment = "start=2027-03-01T09%3A30&isNew=true&price=1&pin=1"

    // MARK: Inputs

    @Test(arguments: [
        "order": [
            // Names are legends, and identifiers are as a person reads them.
            "<h1>Order</h1>", "<legend>Lines</legend>", "<button>Order</button>",
            #"<legend>Lines <span data-us-number>1</span></legend>"#,
            #"<label for="orderButtonPressed-lines.0.isHot">Is hot</label>"#,
            // An input has the type and the constraints of its field.
            #"name="lines.0.product" type="text" minlength="1" maxlength="40" required="""#,
            #"name="lines.0.count" type="number" step="1" min="1" max="99" required="""#,
            #"name="lines.0.isHot" type="checkbox" aria"#,
            #"name="day" type="date" min="2027-01-01" max="2027-12-31" required="""#,
            #"name="note" type="text" minlength="3" maxlength="80" aria"#,
            // A choice is a select.
            #"<select id="orderButtonPressed-lines.0.size" name="lines.0.size" required="""#,
            #"<option value="small">small</option>"#,
        ],
        "appointment": [
            #"name="guests" type="number" step="1" aria"#,
            #"name="price" type="number" step="any" min="0" max="100" required="""#, #"name="pin" type="password""#,
            // A time is in UTC, and the input says so.
            "Start (UTC)</label>", #"name="start" type="datetime-local""#,
            // An optional choice has an empty option.
            "name=\"size\" aria-describedby=\"saveButtonPressed-size-error\">\n<option value=\"\">",
            // A truth value that a form must have is a choice, because a browser does not send an empty box.
            #"name="isNew" required="""#, #"<option value="true">Yes</option>"#,
            // An event that loads the page has no form, but is sent when the page is opened.
            #"data-us-load="viewDidLoad""#, #"data-us-event="saveButtonPressed""#,
        ],
    ])
    func `a form shows its fields`(page: String, texts: [String]) async {
        await browser.get("/\(page)").expect(texts, without: [#"data-us-event="viewDidLoad""#])
    }

    @Test func `a form has the values of its last event, in rows`() async {
        await browser.submit("/order", "\(Self.order)&lines.0.isHot=on&tags=x&tags=y").expect([
            #"name="lines.0.product" type="text" value="tea""#, #"name="lines.0.isHot" type="checkbox" checked"#,
            #"id="orderButtonPressed-tags.0" name="tags" type="text" value="x""#,
            #"id="orderButtonPressed-tags.1" name="tags" type="text" value="y""#,
            #"<input type="hidden" name="tags" value="" disabled>"#,
        ])
        await browser.submit("/appointment", "\(Self.appointment)&size=large").expect([
            #"value="2027-03-01T09:30:00""#, #"<option value="large" selected>"#,
            #"name="size" aria-describedby="saveButtonPressed-size-error">"# + "\n<option value=\"\">",
        ])
        #expect(await browser.post("/appointment", "\(Self.appointment)&size=").status == 303)
    }

    // MARK: Rows

    @Test func `a person without JavaScript adds a row and keeps what is entered, and no event runs`() async {
        await browser.post("/order", "_key=a&\(Self.row)&day=2027-&note=a&gift=&tags=&_add=lines").expect(
            [
                #"name="lines.0.product" type="text" value="tea""#, #"<option value="small" selected>"#,
                #"name="lines.1.product" type="text" minlength"#, #"name="day" type="date" value="2027-""#,
                #"name="note" type="text" value="a""#,
            ],
            without: ["aria-invalid"]
        )
        await browser.get("/order").expect(without: [#"value="tea""#])
    }

    @Test(
        arguments: [
            // Any row can be removed.
            (
                "lines.0.product=a&lines.1.product=b&lines.2.product=c&_remove=lines.1",
                [#"lines.0.product" type="text" value="a""#, #"lines.1.product" type="text" value="c""#],
                #"name="lines.2.product""#
            ),
            // A list of texts and an optional object have rows as well.
            (
                "tags=x&_add=tags", [#"name="tags" type="text" value="x""#, #"id="orderButtonPressed-tags.1""#],
                "tags.2"
            ),
            ("tags=x&tags=y&_remove=tags.0", [#"name="tags" type="text" value="y""#], #"value="x""#),
            ("gift=&_add=gift", [#"<input type="hidden" name="gift" value="" disabled>"#], "aria-invalid"),
            ("gift.paper=red&_remove=gift", [#"<input type="hidden" name="gift" value="">"#], #""red""#),
            // A form has as many rows as its list may have, and no buttons for others.
            (
                "\(counts(20))&_add=lines",
                [#"name="lines.19.count""#, #"value="lines" formnovalidate data-us-repeat hidden>"#],
                #"name="lines.20.count""#
            ),
            (
                "\(counts(1))&_remove=lines.0",
                [#"name="lines.0.count""#, #"value="lines.0" formnovalidate data-us-repeat hidden>"#],
                #"name="lines.1.count""#
            ),
        ]
    )
    func `a person without JavaScript changes rows`(form: String, shown: [String], hidden: String) async {
        await browser.post("/order", form).expect(shown, without: [hidden])
    }

    static func counts(_ count: Int) -> String {
        (0..<count).map { "lines.\($0).count=1" }.joined(separator: "&")
    }

    @Test(arguments: ["nothing", "lines.x", "lines.-1", "lines.7", "", "lines.0.product", "day", "lines.0.0.0.0"])
    func `a button that names no row changes nothing`(path: String) async {
        for name in ["_add", "_remove"] {
            let page = await browser.post("/order", "\(Self.row)&\(name)=\(path)")
            let product = #"product" type="text" value"#
            page.expect([#"name="lines.0.\#(product)="tea""#], without: [#"name="lines.1.\#(product)"#])
        }
    }

    @Test func `the return key sends the form, whatever the first visible button is`() async throws {
        let page = await browser.get("/order").text
        let first = try #require(page.firstRange(of: "<button hidden></button>"))
        let add = try #require(page.firstRange(of: #"<button class="plain" name="_"#))
        #expect(first.lowerBound < add.lowerBound)
    }

    // MARK: Rejected forms

    @Test func `each message about a value is next to its input, and what is entered stays`() async {
        let form = "lines.0.product=coffee&lines.0.size=XL&lines.0.count=100&lines.0.isHot=on&day=2028-01-01&note=ab"
        let page = await browser.post("/order", form + "&tags=0123456789&tags=ok")
        #expect(page.isHTML)
        let shown = ["coffee", "100", "2028-01-01", "ab", "0123456789", "ok"].map { #"value="\#($0)""# }
        let messages = [
            #"data-us-error="lines.0.size">Choose one of the options.<"#, #"data-us-error="lines.0.product"><"#,
            #"data-us-error="lines.0.count">Enter a value from 1 to 99.<"#,
            #"data-us-error="day">Enter a value from 2027-01-01 to 2027-12-31.<"#,
            #"data-us-error="tags.0">Enter at most 8 characters.<"#,
            #"aria-describedby="orderButtonPressed-lines.0.count-error" aria-invalid="true""#,
            #"name="lines.0.isHot" type="checkbox" checked"#,
        ]
        page.expect(messages + shown, status: 422)
        #expect(await browser.submit("/order", Self.order).status == 200)
    }

    @Test func `a rejected text that is longer than its input is shown up to 1,024 code points`() async {
        let marks = "%CC%81".repeated(3000)
        for others in ["&_add=\(marks)&\(marks)=1", ""] {
            let rejected = await browser.post("/order", "lines.0.product=a\(marks)&lines.0.size=small\(others)")
            #expect(rejected.status == 422)
            if others.isEmpty { #expect(rejected.text.unicodeScalars.count { $0 == "\u{301}" } == 1023) }
        }
    }

    @Test func `messages about a rejected form are in the language of the browser`() async {
        browser.speakGerman()
        await browser.post("/order", "lines=&day=").expect(
            [#"<html lang="de">"#, #"data-us-error="lines">"#],
            without: ["Enter"],
            status: 422
        )
    }

    @Test(arguments: ["", "&_add=lines"]) func `a secret is not in a form that is shown again`(button: String) async {
        let status = button.isEmpty ? 422 : 200
        let page = await browser.post("/order", "gift.paper=red&gift.code=s3cret\(button)")
        page.expect([#"name="gift.paper" type="text" value="red""#], without: ["s3cret"], status: status)
        await browser.post("/appointment", "pin=s3cret\(button)").expect(without: ["s3cret"], status: status)
    }

    @Test func `a message about a value without an input is at the top`() async {
        await browser.post("/order", "\(Self.order)&colour=red").expect(
            ["<p class=\"error\" data-us-errors>There is no such field. </p>"],
            status: 422
        )
    }

    @Test func `a bundled template shows the messages about a rejected form`() async throws {
        let long = "a".repeated(1024)
        await (try Browser()).post("/login", "event=loginButtonPressed&username=\(long)&password=s3cret").expect(
            [#"data-us-error="username">Enter at most 254 characters.<"#, #"value="\#(long)""#],
            without: ["s3cret", "Back</a>"],
            status: 422
        )
    }

    @Test func `a template that shows no messages about fields gets the page about the problem`() async throws {
        let template = "{{<page}}{{$content}}Mine{{/content}}{{/page}}"
        let browser = try Browser(Self.pages, as: HTMLPages(templates: ["order": template]))
        await browser.post("/order", "day=x").expect([#"<a href="/order">Back</a>"#], without: ["Mine"], status: 422)
    }

    // MARK: Outputs and labels

    @Test func `an output that is a list of objects is a table`() async {
        await browser.submit("/order", Self.order).expect([
            "<caption>Lines</caption>", #"<th scope="col">Product</th><th scope="col">Size</th>"#,
            #"<td data-label="Product"><span data-us-text="product">tea</span></td>"#, #"">No</span></td>"#,
            #"Total: <output data-us-text="total">5.00</output>"#,
            #"<template><tr><td data-label="Product"><span data-us-text="product"></span></td>"#,
            // The module writes the amount in the same way.
            #"{"key":"total","schema":{"type":"number","format":"decimal"}}"#,
        ])
    }

    @Test func `all texts of a page are those of the embedder's catalog`() async throws {
        let texts = catalog([
            "page.order": ["de": unit("Bestellung"), "en": unit("Your order")], "label.lines": ["de": unit("Posten")],
            "label.lines.product": ["de": unit("Ware")], "label.size": ["de": unit("Größe")],
            "label.day": ["en": unit("Delivery day")], "event.orderButtonPressed": ["de": unit("Bestellen")],
            "choice.size.small": ["de": unit("klein")], "choice.medium": ["de": unit("mittel")],
            "choice.lines.size.large": ["de": unit("groß")], "choice.large": ["de": unit("XL")],
        ])
        let browser = try Browser(Self.pages, as: HTMLPages(labels: Translations(catalog: texts)))
        await browser.get("/order").expect(["<h1>Your order</h1>", "Delivery day</label>"])
        browser.speakGerman()
        await browser.submit("/order", Self.order).expect([
            "<h1>Bestellung</h1>", "<legend>Posten</legend>", ">Ware</label>", ">Größe</label>", "Delivery day</label>",
            "<button>Bestellen</button>", ">klein</option>", ">mittel</option>", ">groß</option>", "<caption>Posten",
            #"<th scope="col">Ware</th>"#, ">klein</span>", ">Hinzufügen</button>", ">Entfernen</button>",
        ])
    }

    @Test(arguments: [
        ("userID", "User ID"), ("isHot", "Is hot"), ("day", "Day"), ("e-mail_address", "E mail address"),
        ("URLOfPage", "URL of page"), ("line2", "Line2"), ("_", "_"),
    ])
    func `an identifier without a label is readable`(name: String, text: String) {
        #expect(Label.field([name]).fallback == text)
    }
}

/// A page that loads itself, with the kinds of fields that an order does not have.
private struct AppointmentController: Script {
    static let start = Field<Timestamp>("start")
    static let size = Field<Size?>("size").whenAbsent(nil)
    static let isNew = Field<Bool>("isNew")
    static let guests = Field<Int?>("guests").whenAbsent(nil)
    static let price = Field<Double>("price", in: 0...100)
    static let pin = Field<String>("pin", isSecret: true)

    static let events: EventTable<Scripted<AppointmentController>> = [
        .event("viewDidLoad") { _ in },
        .default("saveButtonPressed", reads: start, size, isNew, guests, price, pin) { _, _, _, _, _, _, _ in },
    ]
}
