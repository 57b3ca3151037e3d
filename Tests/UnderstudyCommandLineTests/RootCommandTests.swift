@testable import UnderstudyCommandLine

@Suite(.fiveMinutes) struct RootCommandTests {
    @Test func `the executable prints its version, and the version of libmicrohttpd`() async throws {
        let line = "understudy \(UnderstudyService.version) (…libmicrohttpd \(Server.libraryVersion))"
        try await Program.run(["--version"]).expect(status: 0, output: [line], errors: [])
    }

    @Test func `the executable's help shows how to try it`() async throws {
        let result = try await Program.run(["--help"]).expect(status: 0, errors: [])
        #expect(result.output.first == "OVERVIEW: Serves business logic without its screens.")
        // Whole lines, so that they can be pasted.
        #expect(result.output.contains("understudy serve --demo"))
        #expect(result.output.contains("curl -d username=batman -d password=bruce localhost:8080/login"))
        #expect(result.output.contains { $0.hasPrefix("USAGE: understudy ") })
    }

    @Test(arguments: ["-h", "help", ""])
    func `help lists the commands`(arguments: String) async throws {
        let result = try await understudy(arguments).expect(status: 0, errors: [])
        for command in Self.paths where !command.contains(" ") {
            #expect(result.output.contains { $0.hasPrefix("  \(command) ") }, "\(command)")
        }
    }

    /// The names of all commands with those that contain them, such as `account add`.
    static let paths: [String] = {
        func paths(in command: any ParsableCommand.Type, _ path: [String]) -> [String] {
            command.configuration.subcommands.flatMap { command in
                let path = path + [command.configuration.commandName ?? ""]
                return [path.joined(separator: " ")] + paths(in: command, path)
            }
        }
        return Application.$current.withValue(.bundled) { paths(in: RootCommand.self, []) }
    }()

    @Test func `each command has a text, and each text a command or a place where it is inserted`() {
        #expect(HelpText.all.keys.filter { !$0.hasPrefix("{{") }.sorted() == Self.paths.sorted())
        let texts = HelpText.all.values.joined()
        for heading in HelpText.all.keys where heading.hasPrefix("{{") { #expect(texts.contains(heading)) }
    }

    @Test(arguments: paths)
    func `each command has help, and takes no password as an argument`(command: String) async throws {
        let help = try await understudy("\(command) --help").expect(status: 0)
        #expect(help.output.contains { $0.hasPrefix("USAGE: understudy \(command)") })
        let text = help.output.joined(separator: " ")
        #expect(!text.contains("--password ") && !text.contains("{{"))
    }

    @Test(arguments: [
        "nonsense", "--nonsense", "serve nonsense", "openapi --nonsense", "serve --port", "serve --demo=yes", "backup",
        "backup a b", "account add", "account add --email a@example.com", "account show", "account list x",
        "account add --email a@example.com --name A --password secret", "account set-password a secret",
        "mail list x", "mail retry", "mail retry a --all", "mail discard --yes", "account import", "account import a b",
        "products import", "config --password-min 3", "config --hash-memory 1KiB",
        "config --hash-iterations 20",
        "serve --password-min 129", "serve --hash-memory 1GiB", "serve --hash-iterations 0",
        "healthcheck --timeout soon", "healthcheck --timeout 0",
    ])
    func `wrong usage is one line of error, with exit status 64`(arguments: String) async throws {
        let error = arguments.contains("nonsense") ? "error: …nonsense…" : "error: …"
        try await understudy(arguments).expect(status: 64, output: [], errors: [error])
    }

    @Test(arguments: [
        ("account add --email a@example.com --name A --email b@example.com", "email"),
        ("account list --database a --json --database=b", "database"),
        ("serve --log-format text --port 1 --port=2", "port"), ("config --demo --demo", "demo"),
        ("compare a b --accept c --reason x --reason y", "reason"),
    ])
    func `an option that is given twice is wrong usage`(arguments: String, name: String) async throws {
        let error = "'--\(name)' is given twice: give it once."
        try await understudy(arguments).expect(error: error, status: 64, output: [])
    }

    @Test func `an argument that is not in UTF-8 is wrong usage`() async throws {
        let result = try await Program.run([], shell: #"exec "$0" account note lisa "$(printf 'caf\351\314\201')""#)
        result.expect(error: "An argument is not in UTF-8.", status: 64, output: [])
    }
}
