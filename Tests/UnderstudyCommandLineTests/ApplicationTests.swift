@testable import UnderstudyCommandLine

/// An embedder's program.
@Suite(.fiveMinutes) struct ApplicationTests {
    let acme = Application(
        title: "Acme Onboarding",
        version: "1.4",
        executable: "/opt/acme/onboarding",
        migrations: DoorbellController.migrations
    ) { dependencies in
        let database = try dependencies.database ?? .inMemory(DoorbellController.migrations)
        return [Page("doorbell", DoorbellController(credentials: dependencies.credentials, database: database))]
    }

    @Test func `help and version name the program, its title, its folder for data and its configuration file`()
        async throws
    {
        let help = try await acme.run("--help").expect(status: 0)
        #expect(help.output.first == "OVERVIEW: Acme Onboarding")
        #expect(help.output.contains("USAGE: onboarding <subcommand>"))
        #expect(try await acme.run("serve --help").output.contains { $0.contains("'onboarding config'") })
        let backup = try await acme.run("backup --help").output.joined(separator: " ")
        for path in ["~/.local/share/acme-onboarding", "/etc/acme-onboarding/acme-onboarding.yaml"] {
            #expect(backup.contains(path))
        }
        let library = "libmicrohttpd \(Server.libraryVersion)"
        let version = "onboarding 1.4 (understudy \(UnderstudyService.version), \(library))"
        #expect(try await acme.run("--version").output == [version])
    }

    @Test func `the OpenAPI document and the navigation graph are those of the program`() async throws {
        let document = try await acme.run("openapi").output
        #expect(document.contains("  title: Acme Onboarding"))
        #expect(document.contains { $0.hasPrefix("  version:") && $0.contains("1.4") })
        #expect(document.contains("  /doorbell:"))
        #expect(!document.contains("  /login:"))
        try await acme.run("graph").expect(status: 0, output: ["flowchart LR", #"    n0["doorbell"]"#])
    }

    @Test func `an error of the program's pages is one line of error`() async throws {
        let broken = Application(title: "Broken", version: "1") { _ in throw CommandError("There is no licence.") }
        try await broken.run("openapi").expect(error: "There is no licence.")
    }

    /// The only test that serves in this process: swift-log and swift-metrics can be set up only once in each.
    @Test func `a server serves the program's pages, with their tables, until its task is cancelled`() async throws {
        let (output, continuation) = AsyncStream<String>.makeStream()
        let serving = Task { [acme] in
            defer { continuation.finish() }
            let options = ["--demo", "--port", "0", "--admin-port", "off", "--log-level", "critical"]
            return try await acme.run(["serve"] + options) { continuation.yield($0) }
        }
        let line = try #require(await output.first { _ in true })
        let port = try #require(line.split(separator: ":").last.flatMap { UInt16($0.prefix(while: \.isNumber)) })
        for count in 0...1 {
            let text = try await HTTPTestClient.request("POST", "/doorbell", port: port).text
            #expect(text.contains("ding") && text.contains(#""key":"rings","value":\#(count)"#))
        }
        try await get("/login", port).expect(status: 404)
        serving.cancel()
        _ = await serving.result
        await #expect(throws: (any Error).self) { try await HTTPTestClient(port: port) }
    }
}

/// Rings, if its collaborator accepts batman, and counts the earlier rings in a table of its own.
private struct DoorbellController: Script {
    static let sound = Output<String>("sound")
    static let rings = Output<Int>("rings")
    static let events: Events = [
        .default("buttonPressed", gives: [.renders(sound), .renders(rings)]) { door in
            door.render(rings, try await door.database.read(count()) { try $0.number(0) }[0])
            try await door.database.stage([insert()])
            let check = door.credentials
            let user = try await check.authenticate(username: "batman", password: "bruce", for: ClientContext())
            door.render(sound, user == nil ? "silence" : "ding")
        }
    ]
    static let migrations: [SQLText] = [
        SQLText(
            postgreSQL: "CREATE TABLE own_ring (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY)",
            sqlite: "CREATE TABLE own_ring (number INTEGER PRIMARY KEY) STRICT"
        )
    ]
    static let insert = SQLStatement("add ring", "INSERT INTO own_ring DEFAULT VALUES")
    static let count = SQLStatement("count rings", "SELECT count(*) FROM own_ring")

    let credentials: any CredentialChecking
    let database: PageDatabase
}
