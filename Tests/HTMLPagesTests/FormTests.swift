import BundledPages
import Foundation
import TestSupport
import Understudy

@testable import HTMLPages

/// The forms of pages without a template, and what a form shows after the service has rejected it.
@Suite struct FormTests {
    private let browser: Browser

    init() throws {
        browser = try Browser(Self.pages, as: HTMLPages())
    }

    private static let pages = [
        Page("order") { _ in OrderController() }, Page("appointment", AppointmentController()),
    ]

    private static let row = "lines.0.product=tea&lines.0.size=small&lines.0.count=2"

    // MARK: What a stranger sends

    @Test func `a rejected text that is longer than its input is shown up to 1,024 code points`() async {
        let marks = String(repeating: "%CC%81", count: 3000)
        let answer = await browser.submit(
            "/order",
            "lines.0.product=a\(marks)&lines.0.size=small&_add=\(marks)&\(marks)=1"
        )
        #expect(answer.status == 422)
        let rejected = await browser.submit("/order", "lines.0.product=a\(marks)&lines.0.size=small")
        #expect(rejected.status == 422)
        #expect(rejected.text.unicodeScalars.count { $0 == "\u{301}" } == 1023)
    }

    // MARK: Inputs

    @Test func `names are legends, and identifiers as a person reads them`() async {
        let page = await browser.get("/order").text
        #expect(page.contains("<h1>Order</h1>"))
        #expect(page.contains("<legend>Lines</legend>"))
        #expect(page.contains(#"<legend>Lines <span data-us-number>1</span></legend>"#))
        #expect(page.contains(#"<label for="orderButtonPressed-lines.0.isHot">Is hot</label>"#))
        #expect(page.contains("<button>Order</button>"))
    }

    @Test func `an input has the type and the constraints of its field`() async {
        let page = await browser.get("/order").text
        #expect(page.contains(#"name="lines.0.product" type="text" minlength="1" maxlength="40" required="""#))
        #expect(page.contains(#"name="lines.0.count" type="number" step="1" min="1" max="99" required="""#))
        #expect(page.contains(#"name="lines.0.isHot" type="checkbox" aria"#))
        #expect(page.contains(#"name="day" type="date" min="2027-01-01" max="2027-12-31" required="""#))
        #expect(page.contains(#"name="note" type="text" minlength="3" maxlength="80" aria"#))
        let other = await browser.get("/appointment").text
        #expect(other.contains(#"name="guests" type="number" step="1" aria"#))
        #expect(other.contains(#"name="price" type="number" step="any" min="0" max="100" required="""#))
        #expect(other.contains(#"name="pin" type="password""#))
    }

    @Test func `a time is in UTC, and the input says so`() async {
        let page = await browser.get("/appointment").text
        #expect(page.contains("Start (UTC)</label>"))
        #expect(page.contains(#"name="start" type="datetime-local""#))
        let answer = await browser.submit("/appointment", "start=2027-03-01T09%3A30&isNew=true&price=1&pin=1")
        #expect(answer.status == 200)
        #expect(answer.text.contains(#"value="2027-03-01T09:30:00""#))
    }

    @Test func `a choice is a select; an optional one has an empty option`() async {
        let page = await browser.get("/order").text
        #expect(page.contains(#"<select id="orderButtonPressed-lines.0.size" name="lines.0.size" required="""#))
        #expect(page.contains(#"<option value="small">small</option>"#))
        let before = await browser.get("/appointment").text
        let empty = #"name="size" aria-describedby="saveButtonPressed-size-error">"# + "\n<option value=\"\">"
        #expect(before.contains(empty))
        let form = "start=2027-03-01T09%3A30&isNew=true&price=1&pin=1&size="
        _ = await browser.post("/appointment", form + "large")
        let after = await browser.get("/appointment").text
        #expect(after.contains(#"<option value="large" selected>"#))
        #expect(after.contains(empty))
        #expect(await browser.post("/appointment", form).status == 303)
    }

    @Test func `a truth value that a form must have is a choice, because a browser does not send an empty box`() async {
        let page = await browser.get("/appointment").text
        #expect(page.contains(#"name="isNew" required="""#))
        #expect(page.contains(#"<option value="true">Yes</option>"#))
    }

    @Test func `a form has the values of its last event, in rows`() async {
        let page = await browser.submit("/order", "\(Self.row)&lines.0.isHot=on&day=2027-03-01&tags=x&tags=y").text
        #expect(page.contains(#"name="lines.0.product" type="text" value="tea""#))
        #expect(page.contains(#"name="lines.0.isHot" type="checkbox" checked"#))
        #expect(page.contains(#"id="orderButtonPressed-tags.0" name="tags" type="text" value="x""#))
        #expect(page.contains(#"id="orderButtonPressed-tags.1" name="tags" type="text" value="y""#))
        #expect(page.contains(#"<input type="hidden" name="tags" value="" disabled>"#))
    }

    // MARK: Rows

    @Test func `a person without JavaScript adds a row and keeps what is entered, and no event runs`() async {
        let page = await browser.post("/order", "_key=a&\(Self.row)&day=2027-&note=a&gift=&tags=&_add=lines")
        #expect(page.status == 200)
        #expect(page.text.contains(#"name="lines.0.product" type="text" value="tea""#))
        #expect(page.text.contains(#"<option value="small" selected>"#))
        #expect(page.text.contains(#"name="lines.1.product" type="text" minlength"#))
        #expect(page.text.contains(#"name="day" type="date" value="2027-""#))
        #expect(page.text.contains(#"name="note" type="text" value="a""#))
        #expect(!page.text.contains("aria-invalid"))
        #expect(!(await browser.get("/order").text.contains(#"value="tea""#)))
    }

    @Test func `a person without JavaScript removes any row`() async {
        let rows = (0..<3).map { "lines.\($0).product=tea\($0)" }.joined(separator: "&")
        let page = await browser.post("/order", "\(rows)&_remove=lines.1").text
        #expect(page.contains(#"name="lines.0.product" type="text" value="tea0""#))
        #expect(page.contains(#"name="lines.1.product" type="text" value="tea2""#))
        #expect(!page.contains(#"name="lines.2.product""#))
    }

    @Test func `a list of texts and an optional object have rows as well`() async {
        let list = await browser.post("/order", "tags=x&_add=tags").text
        #expect(list.contains(#"name="tags" type="text" value="x""#))
        #expect(list.contains(#"id="orderButtonPressed-tags.1""#))
        let shorter = await browser.post("/order", "tags=x&tags=y&_remove=tags.0").text
        #expect(shorter.contains(#"name="tags" type="text" value="y""#))
        #expect(!shorter.contains(#"value="x""#))
        let gift = await browser.post("/order", "gift=&_add=gift").text
        #expect(gift.contains(#"<input type="hidden" name="gift" value="" disabled>"#))
        let none = await browser.post("/order", "gift.paper=red&_remove=gift").text
        #expect(none.contains(#"<input type="hidden" name="gift" value="">"#))
        #expect(!none.contains(#""red""#))
    }

    @Test func `a form has as many rows as its list may have, and no buttons for others`() async {
        func rows(_ count: Int) -> String { (0..<count).map { "lines.\($0).count=1" }.joined(separator: "&") }
        let full = await browser.post("/order", "\(rows(20))&_add=lines").text
        #expect(full.contains(#"name="lines.19.count""#))
        #expect(!full.contains(#"name="lines.20.count""#))
        #expect(full.contains(#"value="lines" formnovalidate data-us-repeat hidden>"#))
        let last = await browser.post("/order", "\(rows(1))&_remove=lines.0").text
        #expect(last.contains(#"name="lines.0.count""#))
        #expect(last.contains(#"value="lines.0" formnovalidate data-us-repeat hidden>"#))
    }

    @Test(arguments: ["nothing", "lines.x", "lines.-1", "lines.7", "", "lines.0.product", "day", "lines.0.0.0.0"])
    func `a button that names no row changes nothing`(path: String) async {
        for name in ["_add", "_remove"] {
            let page = await browser.post("/order", "\(Self.row)&\(name)=\(path)")
            #expect(page.status == 200)
            #expect(page.text.contains(#"name="lines.0.product" type="text" value="tea""#))
            #expect(!page.text.contains(#"name="lines.1.product" type="text" value"#))
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
        #expect(page.status == 422)
        #expect(page.isHTML)
        #expect(page.text.contains(#"data-us-error="lines.0.size">Choose one of the options.<"#))
        #expect(page.text.contains(#"data-us-error="lines.0.count">Enter a value from 1 to 99.<"#))
        #expect(page.text.contains(#"data-us-error="lines.0.product"><"#))
        #expect(page.text.contains(#"data-us-error="day">Enter a value from 2027-01-01 to 2027-12-31.<"#))
        #expect(page.text.contains(#"data-us-error="tags.0">Enter at most 8 characters.<"#))
        #expect(
            page.text.contains(
                #"aria-describedby="orderButtonPressed-lines.0.count-error" aria-invalid="true""#
            )
        )
        for value in ["coffee", "100", "2028-01-01", "ab", "0123456789", "ok"] {
            #expect(page.text.contains(#"value="\#(value)""#), "\(value)")
        }
        #expect(page.text.contains(#"name="lines.0.isHot" type="checkbox" checked"#))
        #expect(await browser.submit("/order", "\(Self.row)&day=2027-03-01").status == 200)
    }

    @Test func `messages about a rejected form are in the language of the browser`() async {
        browser.headers.append(("Accept-Language", "de"))
        let page = await browser.post("/order", "lines=&day=").text
        #expect(page.contains(#"<html lang="de">"#))
        #expect(page.contains(#"data-us-error="lines">"#))
        #expect(!page.contains("Enter"))
    }

    @Test func `a secret is not in a form that is shown again`() async {
        for button in ["", "&_add=lines"] {
            let order = await browser.post("/order", "gift.paper=red&gift.code=s3cret\(button)").text
            #expect(order.contains(#"name="gift.paper" type="text" value="red""#))
            #expect(!order.contains("s3cret"))
            #expect(!(await browser.post("/appointment", "pin=s3cret\(button)").text.contains("s3cret")))
        }
    }

    @Test func `a message about a value without an input is at the top`() async {
        let page = await browser.post("/order", "\(Self.row)&day=2027-03-01&colour=red")
        #expect(page.status == 422)
        #expect(page.text.contains("<p class=\"error\" data-us-errors>There is no such field. </p>"))
    }

    @Test func `a bundled template shows the messages about a rejected form`() async throws {
        let browser = try Browser()
        let long = String(repeating: "a", count: 1024)
        let page = await browser.post("/login", "event=loginButtonPressed&username=\(long)&password=s3cret")
        #expect(page.status == 422)
        #expect(page.text.contains(#"data-us-error="username">Enter at most 254 characters.<"#))
        #expect(page.text.contains(#"value="\#(long)""#))
        #expect(!page.text.contains("s3cret"))
        #expect(!page.text.contains("Back</a>"))
    }

    @Test func `a template that shows no messages about fields gets the page about the problem`() async throws {
        let template = "{{<page}}{{$content}}Mine{{/content}}{{/page}}"
        let browser = try Browser(Self.pages, as: HTMLPages(templates: ["order": template]))
        let page = await browser.post("/order", "day=x")
        #expect(page.status == 422)
        #expect(!page.text.contains("Mine"))
        #expect(page.text.contains(#"<a href="/order">Back</a>"#))
    }

    // MARK: Events and outputs

    @Test func `an event that loads the page has no form, but is sent when it is opened`() async {
        let page = await browser.get("/appointment").text
        #expect(page.contains(#"data-us-load="viewDidLoad""#))
        #expect(!page.contains(#"data-us-event="viewDidLoad""#))
        #expect(page.contains(#"data-us-event="saveButtonPressed""#))
    }

    @Test func `an output that is a list of objects is a table`() async {
        let page = await browser.submit("/order", "\(Self.row)&day=2027-03-01").text
        #expect(page.contains("<caption>Lines</caption>"))
        #expect(page.contains(#"<th scope="col">Product</th><th scope="col">Size</th>"#))
        #expect(page.contains(#"<td data-us-text="product">tea</td>"#))
        #expect(page.contains(#"">No</td>"#))
        #expect(page.contains(#"Total: <output data-us-text="total">5</output>"#))
        #expect(page.contains(#"<template><tr><td data-us-text="product"></td>"#))
    }

    // MARK: Labels

    @Test func `all texts of a page are those of the embedder's catalog`() async throws {
        let texts = catalog([
            "page.order": ["de": unit("Bestellung"), "en": unit("Your order")], "label.lines": ["de": unit("Posten")],
            "label.lines.product": ["de": unit("Ware")], "label.size": ["de": unit("Größe")],
            "label.day": ["en": unit("Delivery day")], "event.orderButtonPressed": ["de": unit("Bestellen")],
            "choice.size.small": ["de": unit("klein")], "choice.medium": ["de": unit("mittel")],
            "choice.lines.size.large": ["de": unit("groß")], "choice.large": ["de": unit("XL")],
        ])
        let browser = try Browser(Self.pages, as: HTMLPages(labels: Translations(catalog: texts)))
        let english = await browser.get("/order").text
        #expect(english.contains("<h1>Your order</h1>"))
        #expect(english.contains("Delivery day</label>"))
        browser.headers.append(("Accept-Language", "de"))
        let page = await browser.submit("/order", "\(Self.row)&day=2027-03-01").text
        for text in [
            "<h1>Bestellung</h1>", "<legend>Posten</legend>", ">Ware</label>", ">Größe</label>", "Delivery day</label>",
            "<button>Bestellen</button>", ">klein</option>", ">mittel</option>", ">groß</option>", "<caption>Posten",
            #"<th scope="col">Ware</th>"#, ">klein</td>", ">Hinzufügen</button>", ">Entfernen</button>",
        ] {
            #expect(page.contains(text), "\(text)")
        }
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
