import Foundation

struct StaticFilesTests {
    static let picture = #"<svg xmlns="http://www.w3.org/2000/svg"/>"#
    let folder = TemporaryFolder()

    func browser(
        templates: [String: String] = [:],
        assets: [String: String] = [:],
        below prefix: PathPrefix = PathPrefix(),
        _ folders: PageFolders = PageFolders()
    ) throws -> Browser {
        let assets = assets.mapValues { $0.bytes }
        let content = try HTMLPages(templates: templates, assets: assets, folders: folders, below: prefix)
        let origins = try AllowedOrigins("https://app.example")
        return try Browser(as: content, below: prefix) { $0.allowedOrigins = origins }
    }

    var folders: PageFolders { PageFolders(assets: folder.path) }

    // MARK: Files

    @Test(arguments: [
        ("app.js", "text/javascript; charset=utf-8", true), ("app.min.mjs", "text/javascript; charset=utf-8", true),
        ("a/b/look.css", "text/css; charset=utf-8", true), ("logo.svg", "image/svg+xml", true),
        ("LOGO.PNG", "image/png", false), ("photo.jpg", "image/jpeg", false), ("photo.avif", "image/avif", false),
        ("a-b_c.woff2", "font/woff2", false), ("data.json", "application/json", true),
        ("site.webmanifest", "application/manifest+json", false),
    ])
    func
        `a static file has the content type of its name, by which it is compressed, and is sent again if it has changed`(
            path: String,
            type: String,
            isCompressed: Bool
        ) async throws
    {
        let text = "abc ".repeated(1000)
        try folder.write(path, text)
        for browser in [try browser(folders), try browser(assets: [path: text])] {
            browser.headers = []
            let file = await browser.get("/assets/\(path)")
            #expect(file.status == 200)
            #expect(file.text == text)
            #expect(file.header("Content-Type") == type)
            #expect(file.header("X-Content-Type-Options") == "nosniff")
            #expect(file.header("Cross-Origin-Resource-Policy") == "cross-origin")
            #expect(file.header("Cache-Control") == "public, no-cache")
            #expect(await browser.get("/assets/\(path)", .head).status == 200)
            browser.headers = [("Accept-Encoding", "gzip")]
            #expect(await browser.get("/assets/\(path)").header("Content-Encoding") == (isCompressed ? "gzip" : nil))
            browser.headers = [("If-None-Match", try #require(file.header("ETag")))]
            #expect(await browser.get("/assets/\(path)").status == 304)
        }
    }

    @Test(arguments: ["https://app.example", "https://other.example"])
    func `scripts of all sites may read a static file`(origin: String) async throws {
        let browser = try browser(assets: ["a.js": ""])
        browser.headers = [("Origin", origin)]
        let file = await browser.get("/assets/a.js")
        #expect(file.response.fields.filter { $0.name == "Access-Control-Allow-Origin" }.map { $0.value } == ["*"])
    }

    @Test func `a template names the versioned address of a file, which is valid for ever`() async throws {
        let template = #"<img src="{{assets.images.logo-2.min.svg}}">{{#assets.other.js}}No{{/assets.other.js}}"#
        try folder.write("images/logo-2.min.svg", Self.picture)
        let browser = try browser(templates: ["login": template], below: "/shop", folders)
        let page = await browser.get("/shop/login").text
        let path = try #require(page.firstMatch(of: /src="(\/shop\/assets\/images\/logo-2\.min-[0-9a-f]{16}\.svg)"/)?.1)
        #expect(!page.contains("No"))
        let file = await browser.get(String(path))
        #expect(file.text == Self.picture)
        #expect(file.header("Cache-Control") == "public, max-age=31536000, immutable")
        #expect(await browser.get("/shop/assets/images/logo-2.min-0123456789abcdef.svg").status == 404)
    }

    @Test func `a picture that is opened as a document runs no script`() async throws {
        let browser = try browser(assets: ["card.svg": Self.picture, "app.js": ""])
        for path in ["/assets/card.svg", "/logo.svg"] {
            let policy = await browser.get(path).header("Content-Security-Policy")
            #expect(policy == "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        }
        #expect(await browser.get("/assets/app.js").header("Content-Security-Policy") == nil)
    }

    @Test func `a file in the folder replaces that of the program, and each is sent as it is`() async throws {
        let text = "/* a */\n\n    // b\n    `\n    `\n"
        try folder.write("app.js", "folder")
        let browser = try browser(assets: ["app.js": "program", "other.js": text], folders)
        #expect(await browser.get("/assets/app.js").text == "folder")
        #expect(await browser.get("/assets/other.js").text == text)
    }

    @Test(arguments: ["/login", "/docs", "/nowhere"])
    func `all pages load look.css after the other styles, and show logo.svg`(path: String) async throws {
        let (css, svg) = (try Regex(#"href="/assets/look-[0-9a-f]{16}\.css""#), try Regex("/assets/logo-[0-9a-f]{16}"))
        let page = await (try browser(assets: ["look.css": "p {}", "logo.svg": Self.picture])).get(path).text
        let styles = page.matches(of: /<link rel="stylesheet" href="\/(?:assets\/)?([a-z]+)-/).map { String($0.1) }
        #expect(styles.first == "understudy")
        #expect(styles.last == "look")
        #expect(page.matches(of: css).count == 1)
        #expect(page.matches(of: svg).count == 2)
        #expect(!(await (try browser()).get(path).text.contains("/assets/")))
    }

    // MARK: What is not served

    @Test(arguments: [
        "/assets/../secret.css", "/assets/%2e%2e/secret.css", "/assets/..%2fsecret.css", "/assets/a/../app.js",
        "/assets/a/%2E%2E/app.js", "/assets//app.js", "/assets/./app.js", "/assets/app%252ejs", "/assets/.hidden.css",
        "/assets/.git/a.css", "/assets/", "/assets", "/assets/a", "/assets/note.txt", "/assets/%00app.js",
        "/assets/app.js/", "/assets\\app.js",
    ])
    func `no address leads out of the folder, or to a hidden file`(path: String) async throws {
        for file in ["secret.css", "assets/app.js", "assets/.hidden.css", "assets/.git/a.css", "assets/a/b.css"] {
            try folder.write(file, "secret")
        }
        try folder.write("assets/note.txt", "secret")
        let browser = try browser(PageFolders(assets: "\(folder.path)/assets"))
        #expect(await browser.get("/assets/app%2ejs").text == "secret")
        for accept in ["text/html", "*/*"] {
            browser.headers = [("Accept", accept)]
            let answer = await browser.get(path)
            #expect(answer.status == 404)
            #expect(!answer.text.contains("secret\n"))
            #expect(answer.isHTML == (accept == "text/html"))
            #expect(await browser.post(path, "").status == 404)
        }
    }

    @Test(arguments: ["/shop/assets/app.js", "/shop/understudy.js", "/shop/docs"], ["text/html", "*/*"])
    func `a static file and the API can only be read`(path: String, accept: String) async throws {
        let browser = try browser(assets: ["app.js": ""], below: "/shop")
        browser.headers = [("Accept", accept)]
        for method in [Method.post, .delete] {
            let answer = await browser.get(path, method)
            #expect(answer.status == 405)
            #expect(answer.header("Allow") == "GET, HEAD, OPTIONS")
            #expect(answer.isHTML == (accept == "text/html"))
        }
        let options = await browser.get(path, .options)
        #expect(options.status == 204 && options.header("Allow") == "GET, HEAD, OPTIONS")
    }

    @Test func `files of other types and names are reported, and hidden ones are not`() throws {
        for file in ["app.js", "a/note.txt", "two words.css", ".hidden.css", "README"] { try folder.write(file, "") }
        let pages = try HTMLPages(folders: folders)
        #expect(pages.ignoredFiles == ["README", "a/note.txt", "two words.css"].map { "\(folder.path)/\($0)" })
    }

    @Test(arguments: ["../app.js", "a//app.js", "/app.js", ".app.js", "app.txt", "app", "Größe.css", ""])
    func `a file of the program has a name and a type that can be served`(path: String) {
        #expect { try HTMLPages(assets: [path: []]) } throws: {
            "\($0)".hasPrefix("'\(path)' cannot be used: expected a ")
        }
    }

    // MARK: Links

    @Test func `a symbolic link that leads out of the folder stops the start`() throws {
        try folder.write("secret/app.css", "secret")
        for (name, target) in [("files/app.css", "../secret/app.css"), ("folders/secret", "../secret")] {
            try folder.link(name, to: target)
            let reason = folder.reason(PageFolders(assets: "\(folder.path)/\(name.prefix { $0 != "/" })"))
            #expect(reason == "'FOLDER/\(name)' cannot be used: the symbolic link leads out of the folder")
        }
    }

    @Test func `links in the folder are followed, also to hidden folders, as container platforms mount files`()
        async throws
    {
        try folder.write("..2026/app.js", "abc")
        try folder.write("..2026/images/a.svg", "abc")
        try folder.link("..data", to: "..2026")
        try folder.link("app.js", to: "..data/app.js")
        try folder.link("images", to: "..data/images")
        let browser = try browser(folders)
        #expect(await browser.get("/assets/app.js").text == "abc")
        #expect(await browser.get("/assets/images/a.svg").text == "abc")
    }

    @Test func `links that form a circle, and those to nothing, stop the start`() throws {
        try folder.write("a/app.js", "")
        try folder.link("a/again", to: ".")
        #expect(folder.reason(folders).hasSuffix("expected at most 8 levels of folders"))
        let other = TemporaryFolder()
        try other.link("app.js", to: "nothing.js")
        #expect(folder.reason(PageFolders(assets: other.path)).hasSuffix("the symbolic link leads to nothing"))
    }

    // MARK: Limits

    @Test func `a folder must exist`() throws {
        try folder.write("file", "")
        let missing = folder.reason(PageFolders(assets: "/no/such"))
        #expect(missing == "'/no/such' cannot be used: it does not exist, or cannot be read")
        let file = folder.reason(PageFolders(templates: "\(folder.path)/file"))
        #expect(file == "'FOLDER/file' cannot be used: expected a folder")
        // Not the working directory.
        #expect(folder.reason(PageFolders(assets: "")) == "'' cannot be used: expected a folder")
    }

    @Test func `a folder has at most a thousand files and folders, and 32 MiB`() throws {
        for number in 1...1000 { try folder.write("\(number).txt", "") }
        #expect(folder.reason(folders) == "")
        try folder.write("1001.txt", "")
        #expect(folder.reason(folders) == "'FOLDER' cannot be used: expected at most 1000 files and folders")
        let large = TemporaryFolder()
        for name in ["a.png", "b.png"] { try large.write(name, size: 16 << 20) }
        try large.write("c.png", "x")
        #expect(folder.reason(PageFolders(assets: large.path)).hasSuffix("expected at most 32 MiB"))
    }
}
