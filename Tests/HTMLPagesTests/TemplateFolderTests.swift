struct TemplateFolderTests {
    static let mine = "{{<page}}{{$content}}<h1>Mine</h1>{{/content}}{{/page}}"
    let folder = TemporaryFolder()

    func browser(templates: [String: String] = [:], isDevelopment: Bool = false) throws -> Browser {
        let folders = PageFolders(templates: folder.path, assets: folder.path)
        return try Browser(as: HTMLPages(templates: templates, folders: folders, isDevelopment: isDevelopment))
    }

    func writeLogin(_ template: String) throws { try folder.write("login.mustache", template) }

    func reason() -> String { folder.reason(PageFolders(templates: folder.path)) }

    @Test func `a template in the folder replaces that of the program, and the bundled one`() async throws {
        try writeLogin(Self.mine)
        try folder.write("email.mustache", Self.mine)
        let browser = try browser(templates: ["login": "program", "register": "program"])
        #expect(await browser.get("/login").text.contains("<h1>Mine</h1>"))
        #expect(await browser.get("/email").text.contains("<h1>Mine</h1>"))
        #expect(await browser.get("/register").text == "program")
    }

    @Test func `a template in the folder can include others of it`() async throws {
        try writeLogin("{{>parts/greeting}} {{>own.name}}")
        try folder.write("parts/greeting.mustache", "Hello")
        try folder.write("own.name.mustache", "{{page}}")
        #expect(await (try browser()).get("/login").text == "Hello login")
    }

    @Test(arguments: [
        ("<p>\n{{#a}}\n</p>{{/b}}", "line 3, column 8: the closing tag does not belong to the tag that is open"),
        ("<p>\n<img src=\"{{assets.logo.svg}}\">", "line 2, column 13: the assets contain no file 'logo.svg'"),
        ("{{{assets.a.b.svg}}}", "line 1, column 4: the assets contain no file 'a.b.svg'"),
        ("{{& assets.a.b.svg }}", "line 1, column 5: the assets contain no file 'a.b.svg'"),
        ("{{ assets.a.b.svg}}", "line 1, column 4: the assets contain no file 'a.b.svg'"),
        ("\n {{>nope}}", "line 2, column 5: there is no template 'nope'"),
        ("\n {{<nope}}{{/nope}}", "line 2, column 5: there is no template 'nope'"),
        ("\n{{#values}}{{>nope}}{{/values}}", "line 2, column 15: there is no template 'nope'"),
        ("\n {{>login}}", "line 2, column 5: the template includes itself"),
        ("\n {{<login}}{{$content}}Mine{{/content}}{{/login}}", "line 2, column 5: the template includes itself"),
        (nested(100_000), "line 1, column 604: expected at most 100 tags in each other"),
    ])
    func `an invalid template is reported with its file, line and column`(text: String, reason: String) throws {
        try writeLogin(text)
        #expect(self.reason() == "the template 'FOLDER/login.mustache' is invalid: \(reason)")
    }

    static func nested(_ count: Int) -> String { "{{#a}}".repeated(count) + "{{/a}}".repeated(count) }

    @Test(arguments: [
        nested(100), "\0", "{{! assets.a.b.svg }}{{#assets.a.b.svg}}{{.}}{{/assets.a.b.svg}}",
        // A template may include itself in a section, as one that shows a tree does.
        "{{#fields}}{{>login}}{{/fields}}Leaf",
        "{{$a}}{{$b}}Mine{{/b}}{{/a}}", "{{<page}}{{$content}}{{$inner}}Mine{{/inner}}{{/content}}{{/page}}",
        "{{<page}}{{$content}}{{#page}}{{$a}}Mine{{/a}}{{/page}}{{/content}}{{/page}}",
    ])
    func `any other template is valid`(text: String) throws {
        try writeLogin(text)
        #expect(reason() == "")
    }

    @Test(arguments: ["\n {{>email}}", "\n {{>a}} {{#b}}{{/b}}"])
    func `templates that include each other without end are reported`(text: String) throws {
        try writeLogin(text)
        try folder.write("page.mustache", "{{>a}}")
        try folder.write("a.mustache", "{{#forms}}{{/forms}}{{>login}}")
        #expect(reason().contains(" is invalid: line "))
        #expect(reason().hasSuffix(": the template includes itself"))
    }

    @Test func `a template that is not UTF-8 is reported`() throws {
        try folder.write("login.mustache", bytes: [0xFF])
        #expect(reason() == "'FOLDER/login.mustache' cannot be used: expected a text in UTF-8")
    }

    // MARK: Reading again

    @Test func `the folders are read once`() async throws {
        try writeLogin("first")
        try folder.write("app.js", "first")
        let browser = try browser()
        try writeLogin("second")
        try folder.write("app.js", "second")
        #expect(await browser.get("/login").text == "first")
        #expect(await browser.get("/assets/app.js").text == "first")
    }

    @Test func `for development, each request reads the folders again`() async throws {
        try writeLogin("first {{#assets.app.js}}{{.}}{{/assets.app.js}}")
        let browser = try browser(isDevelopment: true)
        #expect(await browser.get("/login").text == "first ")
        try writeLogin("second {{assets.app.js}}")
        try folder.write("app.js", "go()")
        #expect(await browser.get("/assets/app.js").text == "go()")
        let page = await browser.get("/login").text
        #expect(page.hasPrefix("second /assets/app-"))
        try folder.write("app.js", "stop()")
        #expect(await browser.get("/login").text != page)
    }

    @Test func `for development, an invalid template is a page with its file, line and column`() async throws {
        try writeLogin("first")
        let browser = try browser(isDevelopment: true)
        try writeLogin("<b>\n{{#a}}")
        let page = await browser.get("/login")
        #expect(page.status == 500)
        #expect(page.isHTML)
        #expect(page.text.contains("login.mustache&#39; is invalid: line 2, column "))
        try writeLogin("second")
        #expect(await browser.get("/login").text == "second")
    }
}
