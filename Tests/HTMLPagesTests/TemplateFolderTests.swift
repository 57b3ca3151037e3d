import BundledPages
import TestSupport
import Understudy

@testable import HTMLPages

@Suite struct TemplateFolderTests {
    private static let mine = "{{<page}}{{$content}}<h1>Mine</h1>{{/content}}{{/page}}"
    private let folder = TemporaryFolder()

    private func browser(templates: [String: String] = [:], isDevelopment: Bool = false) throws -> Browser {
        let folders = PageFolders(templates: folder.path, assets: folder.path)
        return try Browser(as: HTMLPages(templates: templates, folders: folders, isDevelopment: isDevelopment))
    }

    private func reason() -> String { folder.reason(PageFolders(templates: folder.path)) }

    @Test func `a template in the folder replaces that of the program, and the bundled one`() async throws {
        try folder.write("login.mustache", Self.mine)
        try folder.write("email.mustache", Self.mine)
        let browser = try browser(templates: ["login": "program", "register": "program"])
        #expect(await browser.get("/login").text.contains("<h1>Mine</h1>"))
        #expect(await browser.get("/email").text.contains("<h1>Mine</h1>"))
        #expect(await browser.get("/register").text == "program")
    }

    @Test func `a template in the folder can include others of it`() async throws {
        try folder.write("login.mustache", "{{>parts/greeting}} {{>own.name}}")
        try folder.write("parts/greeting.mustache", "Hello")
        try folder.write("own.name.mustache", "{{page}}")
        #expect(await (try browser()).get("/login").text == "Hello login")
    }

    @Test func `an invalid template is reported with its file, line and column`() throws {
        try folder.write("login.mustache", "<p>\n{{#a}}\n</p>{{/b}}")
        #expect(reason().hasPrefix("the template 'FOLDER/login.mustache' is invalid: line 3, column "))
        #expect(reason().hasSuffix(": the closing tag does not belong to the tag that is open"))
    }

    @Test func `a template that names a static file that does not exist is reported`() throws {
        try folder.write("login.mustache", "<p>\n<img src=\"{{assets.logo.svg}}\">")
        let expected = "line 2, column 13: the assets contain no file 'logo.svg'"
        #expect(reason() == "the template 'FOLDER/login.mustache' is invalid: \(expected)")
    }

    @Test(arguments: ["{{{assets.a.b.svg}}}", "{{& assets.a.b.svg }}", "{{ assets.a.b.svg}}"])
    func `each way to show the address of a static file is checked`(tag: String) throws {
        try folder.write("login.mustache", tag)
        #expect(reason().hasSuffix(": the assets contain no file 'a.b.svg'"))
        try folder.write("login.mustache", "{{! assets.a.b.svg }}{{#assets.a.b.svg}}{{.}}{{/assets.a.b.svg}}")
        #expect(reason() == "")
    }

    @Test(arguments: ["\n {{>nope}}", "\n {{<nope}}{{/nope}}", "\n{{#values}}{{>nope}}{{/values}}"])
    func `a template that includes one that does not exist is reported`(text: String) throws {
        try folder.write("login.mustache", text)
        #expect(reason().contains(" is invalid: line 2"))
        #expect(reason().hasSuffix(": there is no template 'nope'"))
    }

    @Test(arguments: [
        "\n {{>login}}", "\n {{<login}}{{$content}}Mine{{/content}}{{/login}}", "\n {{>email}}",
        "\n {{>a}} {{#b}}{{/b}}",
    ])
    func `a template that includes itself without end is reported`(text: String) throws {
        try folder.write("login.mustache", text)
        try folder.write("page.mustache", "{{>a}}")
        try folder.write("a.mustache", "{{#forms}}{{/forms}}{{>login}}")
        #expect(reason().contains(" is invalid: line "))
        #expect(reason().hasSuffix(": the template includes itself"))
    }

    @Test func `a template may include itself in a section, as one that shows a tree does`() async throws {
        try folder.write("login.mustache", "{{#fields}}{{>login}}{{/fields}}Leaf")
        #expect(await (try browser()).get("/login").text == "Leaf")
    }

    @Test(arguments: [
        "{{<page}}{{$content}}{{$inner}}Mine{{/inner}}{{/content}}{{/page}}", "{{$a}}{{$b}}Mine{{/b}}{{/a}}",
        "{{<page}}{{$content}}{{#page}}{{$a}}Mine{{/a}}{{/page}}{{/content}}{{/page}}",
    ])
    func `blocks can contain blocks`(text: String) async throws {
        try folder.write("login.mustache", text)
        #expect(await (try browser()).get("/login").text.contains("Mine"))
    }

    @Test func `a template with more than 100 tags in each other is reported`() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "{{#a}}", count: count) + String(repeating: "{{/a}}", count: count)
        }
        try folder.write("login.mustache", nested(100))
        #expect(reason() == "")
        try folder.write("login.mustache", nested(100_000))
        let expected = "line 1, column 604: expected at most 100 tags in each other"
        #expect(reason() == "the template 'FOLDER/login.mustache' is invalid: \(expected)")
    }

    @Test func `a template that is not UTF-8 is reported`() throws {
        try folder.write("login.mustache", size: 1)
        #expect(reason() == "")
        try folder.write("login.mustache", bytes: [0xFF])
        #expect(reason() == "'FOLDER/login.mustache' cannot be used: expected a text in UTF-8")
    }

    // MARK: Reading again

    @Test func `the folders are read once`() async throws {
        try folder.write("login.mustache", "first")
        try folder.write("app.js", "first")
        let browser = try browser()
        try folder.write("login.mustache", "second")
        try folder.write("app.js", "second")
        #expect(await browser.get("/login").text == "first")
        #expect(await browser.get("/assets/app.js").text == "first")
    }

    @Test func `for development, each request reads the folders again`() async throws {
        try folder.write("login.mustache", "first {{#assets.app.js}}{{.}}{{/assets.app.js}}")
        let browser = try browser(isDevelopment: true)
        #expect(await browser.get("/login").text == "first ")
        try folder.write("login.mustache", "second {{assets.app.js}}")
        try folder.write("app.js", "go()")
        #expect(await browser.get("/assets/app.js").text == "go()")
        let page = await browser.get("/login").text
        #expect(page.hasPrefix("second /assets/app-"))
        try folder.write("app.js", "stop()")
        #expect(await browser.get("/login").text != page)
    }

    @Test func `for development, an invalid template is a page with its file, line and column`() async throws {
        try folder.write("login.mustache", "first")
        let browser = try browser(isDevelopment: true)
        try folder.write("login.mustache", "<b>\n{{#a}}")
        let page = await browser.get("/login")
        #expect(page.status == 500)
        #expect(page.isHTML)
        #expect(page.text.contains("login.mustache&#39; is invalid: line 2, column "))
        try folder.write("login.mustache", "second")
        #expect(await browser.get("/login").text == "second")
    }
}
