@testable import UnderstudyCommandLine

/// `scripts/examples init` builds and tests what the command writes.
@Suite(.fiveMinutes) struct InitCommandTests {
    let workplace = Workplace()

    let root = Checkout.root.path

    /// Runs the command in the folder of the workplace, which needs a process.
    func run(_ arguments: String...) async throws -> Program.Result {
        try await Program.run(arguments, shell: "cd '\(workplace.folder.path)' && exec \"$0\" init \"$@\"")
    }

    @Test func `a package is a new folder, and the next commands are printed`() async throws {
        let result = try await run("Guestbook", "--path", root).expect(status: 0, errors: [])
        result.expect(output: [
            "The package is in the folder Guestbook. Now run:",
            "",
            "    cd Guestbook && swift test",
            "    swift run Guestbook serve --pages on",
            "    curl -d name=Lisa localhost:8080/guestbook",
        ])
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: workplace.path("Guestbook")).sorted() == [
                ".dockerignore", ".github", ".github/workflows", ".github/workflows/test.yml", ".gitignore",
                "Dockerfile", "Package.swift", "README.md", "Sources", "Sources/Guestbook",
                "Sources/Guestbook/GuestbookController.swift", "Sources/Guestbook/Pages.swift",
                "Sources/Guestbook/Resources", "Sources/Guestbook/Resources/Localizable.xcstrings",
                "Sources/Guestbook/main.swift", "Sources/Guestbook/templates",
                "Sources/Guestbook/templates/guestbook.mustache", "Tests", "Tests/GuestbookTests",
                "Tests/GuestbookTests/GuestbookControllerTests.swift",
            ]
        )
        #expect(try workplace.text("Guestbook/Package.swift").contains("path: \"\(root)\""))
    }

    @Test(arguments: [true, false])
    func `a minimal package has no texts, HTML and deployment, and no package has a placeholder`(isMinimal: Bool) throws
    {
        let name = try #require(PackageName("Guestbook"))
        for package in [PackageTemplate(name, path: "/a b"), PackageTemplate(name, url: "https://a/b", version: "1")] {
            let files = package.files(isMinimal: isMinimal)
            #expect(files.count == (isMinimal ? 6 : 12))
            #expect(files.contains { $0.text.contains("PackageResources") } == !isMinimal)
            for (path, text) in files {
                #expect(
                    text.firstMatch(of: /{{(full|minimal|module|type|page|package|note|copy|context)}}/) == nil,
                    "\(path)"
                )
            }
        }
    }

    @Test func `a relative path to a checkout becomes an absolute one`() async throws {
        try workplace.temporary.link("checkout", to: root)
        try await run("Guestbook", "--path", "checkout/").expect(status: 0)
        #expect(try workplace.text("Guestbook/Package.swift").contains("path: \"\(root)\""))
    }

    @Test func `a package can depend on a Git repository, whose name it uses`() async throws {
        let url = "https://git.example/logic/understudy-fork.git"
        try await run("guests", "--url", url).expect(status: 0)
        let manifest = try workplace.text("guests/Package.swift")
        #expect(manifest.contains(".package(url: \"\(url)\", from: \"\(UnderstudyService.version)\")"))
        #expect(manifest.contains(".product(name: \"Understudy\", package: \"understudy-fork\")"))
        let pages = try workplace.text("guests/Sources/guests/Pages.swift")
        #expect(pages.contains("Page(\"guests\") { _ in GuestsController() }"))
    }

    @Test(arguments: [true, false])
    func `a folder or a file is never overwritten`(isFolder: Bool) async throws {
        if isFolder {
            let folder = workplace.path("Guestbook")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        } else {
            try workplace.file("Guestbook", "mine")
        }
        let error = "There is a file or a folder 'Guestbook' already; move it, or choose another name."
        try await run("Guestbook", "--path", root).expect(error: error)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: workplace.folder.path) == ["Guestbook"])
    }

    @Test func `a folder that cannot be created and a path without a package are one line of error`() async throws {
        let error = "The folder '/tmp/nowhere' of '--path' contains no Package.swift; state the folder of a checkout."
        try await run("Guestbook", "--path", "/tmp/nowhere").expect(error: error)
        let script = "cd /proc && exec \"$0\" init \"$@\""
        let result = try await Program.run(["Guestbook", "--path", root], shell: script)
        result.expect(error: "The folder 'Guestbook' cannot be created: …")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: workplace.folder.path) == [])
    }

    @Test(arguments: [
        "", "1st", "guest-book", "Gästebuch", "_guest", "class", "Type", "Testing", "understudy", "Session", "Page",
        "a".repeated(65),
    ])
    func `a name that is not a module name, or that is taken, is wrong usage`(name: String) async throws {
        #expect(PackageName(name) == nil)
    }

    /// SwiftPM does not build a package with such a name.
    @Test func `the name of a target that the package can load is taken`() throws {
        let manifest = try #require(Checkout.text("Package.swift").split(separator: "name: \"HTTPTestClient\"").first)
        let names = manifest.matches(of: /name: "(\w+)"/).map { String($0.1) }
        #expect(names.contains("HTMLPages"))
        #expect((names + ["Collections", "Tracing"]).filter { PackageName($0) != nil } == [])
    }

    @Test(arguments: ["Guestbook", "guestbook", "Guest_Book2", "a".repeated(64)])
    func `the page has the name of the package in lower case, and the types begin with a capital`(name: String) throws {
        let package = try #require(PackageName(name))
        #expect(package.module == name)
        #expect(package.page == name.lowercased())
        #expect(package.type.first?.isUppercase == true)
    }

    @Test func `an invalid name, or not exactly one of a checkout and a repository, is one line of error`() async throws
    {
        try await workplace.expect(
            """
            $ init guest-book --path \(root)
            error: The value 'guest-book' is invalid for '<name>': expected \(PackageName.parser.expectedForm)
            exit status 64
            $ init Guestbook
            error: State where the package finds Understudy: …
            exit status 64
            $ init Guestbook --path . --url https://git.example/understudy
            error: State where the package finds Understudy: …
            exit status 64
            """
        )
    }

    @Test func `an embedder's program, which has a package already, has no command init`() async throws {
        let application = Application(title: "Shop", version: "1") { Page.bundled($0) }
        for (program, hasCommand) in [(application, false), (.bundled, true)] {
            #expect(try await program.run("--help").output.contains { $0.hasPrefix("  init ") } == hasCommand)
        }
    }
}
