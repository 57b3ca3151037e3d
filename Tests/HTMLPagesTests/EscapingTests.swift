import UnderstudyCommandLine

@testable import HTMLPages

/// Every output of HTML, with texts whose metacharacters form characters with their neighbours.
struct EscapingTests {
    static let texts = HostileTexts.all(length: 1000, seed: 1)
    static let shortTexts = HostileTexts.all(length: 60, seed: 2)

    static func content() throws -> PageContent {
        var content = try PageContent(below: "")
        try content.add(templates: ["mail": PackageResources.template("mail")])
        try content.add(
            templates: OperatorTemplates.all.reduce(into: [:]) {
                $0[$1.key.hasPrefix("operators.") ? $1.key : "operators.\($1.key)"] = $1.value
            }
        )
        return content
    }

    // MARK: Templates

    /// The text for all names in the templates.
    ///
    /// - Parameter hasSections: whether the names that only begin sections have it.
    static func context(_ content: PageContent, _ text: String, hasSections: Bool) -> [String: TemplateValue] {
        var names: Set<[String]> = [["isGroup"], ["isList"]]
        for part in content.templates.values.flatMap({ $0.allParts() }) {
            switch part {
            case .value(let name, _): names.insert(name.parts)
            case .section(let name, _, _): if hasSections { names.insert(name.parts) }
            default: break
            }
        }
        func members(_ names: [ArraySlice<String>]) -> [String: TemplateValue] {
            Dictionary(grouping: names.filter { !$0.isEmpty }, by: { $0.first ?? "" }).mapValues { names in
                .names(members(names.map { $0.dropFirst() }), text: text)
            }
        }
        var context = members(names.map { $0[...] })
        context["declaration"] = .text("")
        // Their templates include themselves.
        for name in ["isGroup", "isList"] { context[name] = .json(false) }
        return context
    }

    @Test(arguments: [true, false]) func `each value in each template is escaped byte by byte`(hasSections: Bool) throws
    {
        let content = try Self.content()
        let text = Self.texts.joined()
        let expected = text.unicodeScalars.map { scalar in
            ["<": "&lt;", ">": "&gt;", "&": "&amp;", "\"": "&quot;", "'": "&#39;"][scalar] ?? "\(scalar)"
        }.joined()
        let context = Self.context(content, text, hasSections: hasSections)
        let simple = Self.context(content, "\u{1}", hasSections: hasSections)
        var shown = 0
        for name in content.templates.keys.sorted() {
            let page = try content.render(name, simple)
            let filled = page.flatMap { $0 == 1 ? expected.bytes : [$0] }
            #expect(try content.render(name, context) == filled, "\(name)")
            if page.contains(1) { shown += 1 }
        }
        #expect(shown > 25)
    }

    @Test func `no template has a value outside of quotation marks in a tag`() throws {
        let templates = PageContent.bundledTemplates.merging(OperatorTemplates.all) { first, _ in first }
        for (name, template) in templates {
            #expect(!template.contains(/[ \n][a-z-]+=\{\{/), "\(name)")
            // Values are escaped, except for the declaration, which is JSON for a script.
            #expect(template.matches(of: /\{\{[{&].*?\}\}/).allSatisfy { $0.output == "{{{declaration}}" }, "\(name)")
        }
    }

    // MARK: Pages

    static func form(_ page: Page, _ row: Int, _ text: String) -> String {
        let values = page.events[row].reads.map { "&\($0.name)=\(text.queryEncoded)" }.joined()
        return "event=\(page.events[row].event.name)\(values)"
    }

    @Test(arguments: [false, true])
    func `what a person enters is escaped on each page`(isForm: Bool) async throws {
        let pages =
            Page.demo() + Page.accounts() + [OrderController.page, Page("echo", Echo())]
        let forms = isForm ? pages.reduce(into: [:]) { $0[$1.name] = "{{>form}}" } : [:]
        let content = try HTMLPages(templates: forms, isDemo: true)
        var shown: Set<String> = []
        for text in Self.texts {
            let browser = try Browser(pages, as: content)
            for page in pages {
                for row in page.events.indices where !page.events[row].reads.isEmpty {
                    let answer = await browser.submit("/\(page.name)", Self.form(page, row, text))
                    guard let faults = HostileTexts.faults(in: answer.response.body) else { continue }
                    #expect(faults == [], "\(page.name) \(page.events[row].event.name)")
                    shown.insert(page.name)
                }
            }
        }
        let expected: Set = isForm ? ["register", "echo"] : ["login", "register", "signup", "email", "order", "echo"]
        #expect(shown.isSuperset(of: expected))
    }

    @Test func `what a link contains, and what a problem quotes of a request, is escaped`() async throws {
        let browser = try Browser()
        for text in Self.texts {
            let answer = await browser.get("/login?username=\(text.queryEncoded)")
            #expect(HostileTexts.faults(in: answer.response.body) == [])
        }
        for text in Self.shortTexts {
            let answer = await browser.post("/register", "event=\(text.queryEncoded)")
            #expect(answer.status == 422)
            #expect(HostileTexts.faults(in: answer.response.body) == [])
        }
    }

    // MARK: Documents and mails

    @Test func `each text of an OpenAPI document is escaped`() throws {
        let pages = try HTMLPages()
        for text in Self.texts {
            // Between two backticks is code.
            let text = text.replacingBytes("`", with: "")
            let (value, name) = (Value.string(text), text)
            let operation: Value = [
                "operationId": value, "tags": [value], "summary": value, "description": value,
                "parameters": [["name": value, "in": value, "description": value]],
                "requestBody": [
                    "content": ["application/json": ["schema": ["$ref": .string("#/a/\(text)")], "example": value]]
                ],
                "responses": .object([name: ["description": value]]),
            ]
            let document: Value = [
                "info": ["title": value, "version": value, "description": value], "servers": [["url": value]],
                "tags": [["name": value, "description": value]],
                "paths": .object([name: .object(["post": operation])]),
                "components": ["schemas": .object([name: ["description": value, "enum": [value]]])],
            ]
            #expect(HostileTexts.faults(in: pages.docs(document, Request(.get, "/docs")).body) == [])
        }
    }

    @Test func `what a mail contains is escaped in its HTML, and stays in its text`() throws {
        for text in Self.texts {
            let mails = try MailTemplates(title: text)
            let mail = mails.content(about: "resetCode", code: text, link: text, language: "en")
            #expect(HostileTexts.faults(in: mail.html.bytes) == [])
            #expect(mail.text.utf8.firstRange(of: text.utf8) != nil)
        }
    }

    @Test func `a placeholder of a mail is filled in whatever is next to it`() throws {
        let texts = catalog(["mail.own.text": ["en": unit("\u{600}{code}\u{301}")]])
        let mails = try MailTemplates(title: "Shop", labels: Translations(catalog: texts))
        let text = mails.content(about: "own", code: "1", link: nil, language: nil).text
        #expect(text.utf8.starts(with: "\u{600}1\u{301}".utf8))
    }

    @Test func `no text in a declaration ends the script`() async throws {
        let browser = try Browser([Page("echo", Echo())])
        let texts = Self.texts.joined()
        _ = await browser.submit("/echo", "event=echo&text=\(texts.queryEncoded)")
        let page = await browser.get("/echo").text.utf8
        let rest = Array(page).split(separator: "data-us-declaration".bytes).last
        let declaration = try #require(rest?.split(separator: "</script>".bytes).first)
        #expect(!declaration.contains(UInt8(ascii: "<")))
        #expect(declaration.count > texts.utf8.count)
    }
}

/// Shows what a person enters as a text and as a list.
private struct Echo: Script {
    static let text = Field<String>("text", maximumLength: 100_000)
    static let shown = Output<String>("shown")
    static let list = Output<[String]>("list")

    static let events: EventTable<Scripted<Echo>> = [
        .default("echo", reads: text, gives: [.renders(shown), .renders(list)]) { echo, text in
            echo.render(shown, text)
            echo.render(list, [text, text])
        }
    ]
}
