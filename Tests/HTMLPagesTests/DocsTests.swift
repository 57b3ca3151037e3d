@testable import HTMLPages

/// The page `/docs`, and its samples of requests.
struct DocsTests {
    let browser: Browser

    init() throws { browser = try Browser() }

    @Test func `the documentation contains each operation, schema and error once, with links, lists and code`() async {
        let page = await browser.get("/docs")
        page.expect(["showLogin", "startSession", "validate", "showIndex"].map { #"id="\#($0)""# })
        page.expect(
            [
                "<code>/login</code>", "<code>password</code> * <span>string, at most 1024 characters</span>",
                ##"<span>array of <a href="#schema-Command">Command</a></span>"##,
                "<ul><li><code>loginButtonPressed</code>, the default event, reads <code>username</code>",
                #"<li class="nested"><code>goToPage</code> <code>Home</code>"#,
            ],
            without: ["`", "error-HistoryGone"]
        )
        let text = page.text
        let targets = text.split(separator: ##"href="#"##).dropFirst().map { String($0.prefix { $0 != "\"" }) }
        for target in ["schema-LoginButtonPressed", "schema-ErrorMessage"] { #expect(targets.contains(target)) }
        page.expect(Set(targets).map { #"id="\#($0)""# })
        // An error of several operations is described once, and one of a single operation there.
        #expect(text.split(separator: "The request target is too long (<code>targetTooLong</code>)").count == 2)
        #expect(text.split(separator: ##"<a href="#error-TargetTooLong">414 Target too long</a>"##).count > 20)
        let operation = text.split(separator: #"id="showHistory">"#).last?.split(separator: "</section>").first
        for part in ["<dt><code>410</code>", "The history does not go back that far"] {
            #expect(operation?.contains(part) == true)
        }
    }

    @Test func `the documentation is the same for all clients of a language, and is rendered once`() async throws {
        let template = "{{<page}}{{$content}}{{origin}}|{{key}}|{{language}}{{/content}}{{/page}}"
        let browser = try Browser(as: HTMLPages(templates: ["docs": template]))
        let other = Browser(browser.service)
        other.headers.append((.host, "evil.example"))
        let first = await other.get("/docs").text
        #expect(first.contains("||en"))
        #expect(!first.contains("evil.example"))
        #expect(await browser.get("/docs").text == first)
        browser.speakGerman()
        #expect(await browser.get("/docs").text.contains("||de"))
        #expect(await other.get("/docs").text == first)
    }

    @Test func `the documentation is compressed, and sent again only if it has changed`() async throws {
        let plain = await browser.get("/docs")
        browser.headers.append(("Accept-Encoding", "gzip"))
        let page = await browser.get("/docs")
        #expect(page.response.body.gunzipped == plain.response.body)
        #expect(page.header("Vary") == "Accept, Accept-Language, Accept-Encoding")
        browser.headers.append(("If-None-Match", try #require(page.header("ETag"))))
        #expect(await browser.get("/docs").status == 304)
        browser.speakGerman()
        #expect(await browser.get("/docs").status == 200)
    }

    // MARK: Samples

    /// A document with one operation, `POST /a b/{id}` of the page `a b`.
    static func document(_ body: Value, server: String) -> Value {
        let parameters: Value = [
            ["name": "id", "in": "path", "required": true, "example": "x/y"],
            ["name": "since", "in": "query", "schema": ["type": "integer"]],
            ["name": "count", "in": "query", "required": true, "schema": ["$ref": "#/components/schemas/Count"]],
        ]
        let operation: Value = [
            "operationId": "send", "tags": ["pages"], "parameters": parameters, "security": [["bearer": []]],
            "requestBody": ["content": ["application/json": ["example": body]]],
            "responses": ["200": ["content": ["application/json": [:]]]],
        ]
        return [
            "servers": [["url": .string(server)]], "paths": ["/a b/{id}": ["post": operation]],
            "components": ["schemas": ["Count": ["type": "integer", "examples": [5]]]],
        ]
    }

    @Test(
        arguments: [
            // It has the examples of parameters, and needs a session if the operation does.
            (["a": 1], "/", " http://localhost:8080/a%20b/x%2Fy?count=5"), (["a": 1], "/", "Bearer TOKEN"),
            // It has the public address or the prefix of a service.
            (["event": "go"], "https://a.example/shop", "https://a.example/shop/"),
            (["event": "go"], "/shop", "http://localhost:8080/shop/"),
            // It contains no control character.
            (
                ["text": "\"\\\u{7F}\u{1B}", "no": .null, "on": true], "/",
                #"--json '{"text":"\"\\\u007f\u001b","no":null,"on":true}'"#
            ),
            // A shell takes it as one request, whatever text it has.
            (["a": "it's $(rm) `x`"], "/", #"--json '{"a":"it'\''s $(rm) `x`"}'"#),
        ] as [(Value, String, String)]
    )
    func `a sample of an operation contains`(body: Value, server: String, text: String) throws {
        let documentation = Documentation(Self.document(body, server: server))
        let operation = try #require(documentation.operations.first)
        #expect(documentation.samples(of: operation).first?["command"]?.string?.contains(text) == true)
    }
}
