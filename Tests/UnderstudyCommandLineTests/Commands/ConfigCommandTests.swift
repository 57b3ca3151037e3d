@testable import UnderstudyCommandLine

@Suite(.fiveMinutes) struct ConfigCommandTests {
    let workplace = Workplace()

    func run(
        _ arguments: String...,
        file: String? = nil,
        environment: [String: String] = [:]
    ) async throws -> Program.Result {
        let options = try file.map { ["--config", try workplace.file("settings.yaml", $0)] } ?? []
        return try await Application.bundled.run(arguments + options, environment: environment)
    }

    func line(_ name: String, of result: Program.Result) -> [Substring] {
        result.output.first { $0.hasPrefix(name + " ") }?.split(separator: " ") ?? []
    }

    @Test func `each value is shown with its source, and the null device is an empty file`() async throws {
        let result = try await run(
            "config",
            "--host",
            "::1",
            file: "drain: 3s\n",
            environment: ["UNDERSTUDY_PORT": "82"]
        )
        result.expect(status: 0, errors: [])
        #expect(line("host", of: result) == ["host", "::1", "option"])
        #expect(line("port", of: result) == ["port", "82", "environment", "(UNDERSTUDY_PORT)"])
        #expect(line("drain", of: result).prefix(3) == ["drain", "3s", "file"])
        #expect(line("max-body", of: result) == ["max-body", "64KiB"])
        let empty = try await run("config", "--config", "/dev/null").expect(status: 0, errors: [])
        #expect(line("port", of: empty) == ["port", "8080"])
    }

    @Test func `a running server says what it uses, and what has changed where it is set`() async throws {
        let file = try workplace.file("settings.yaml", "demo: on\nmax-body: 9\n")
        let mail = ["--mail-url", "smtp://me:secret@localhost", "--mail-from", "me@example.com"]
        try await workplace.withServer(["--config", file, "--admin-port", "0"] + mail) { program, _ in
            let port = try await program.operatorsPort
            func running() async throws -> Program.Result {
                try await run("config", "--running", "--admin-port", "\(port)")
            }
            let start = try await running().expect(status: 0, errors: [])
            #expect(line("max-body", of: start).prefix(3) == ["max-body", "9", "file"])
            #expect(line("mail-url", of: start).last == "option")
            #expect(!start.output.joined().contains("secret"))
            #expect(!start.output.contains("CHANGED SINCE"))

            try workplace.file("settings.yaml", "demo: on\nmax-body: 10\ndrain: 1s\n")
            let changed = try await running()
            #expect(line("max-body", of: changed)[1] == "9")
            #expect(
                changed.output.suffix(4) == [
                    "", "CHANGED SINCE", "max-body  10  SIGHUP applies it", "drain     1s  a restart applies it",
                ]
            )
            try workplace.file("settings.yaml", "demo: on\nmax-body: many\n")
            let invalid = try await running()
            #expect(invalid.output.last?.hasPrefix("This server would not start again: The value 'many'") == true)
        }
        let result = try await run("config", "--running", "--admin-port", "1")
        #expect(result.status == 1 && result.errors == ["error: 127.0.0.1 port 1: Connection refused"])
    }

    @Test func `every setting is shown, and no folder is created`() async throws {
        let folder = workplace.folder.path
        let result = try await run("config", "--data", folder + "/data", "--record", folder + "/recordings")
        result.expect(status: 0, errors: [])
        #expect(result.output.map { $0.prefix { $0 != " " } } == Settings.all.map { $0.name[...] })
        #expect(try Files.names(in: folder) == [])
    }

    @Test func `the template sets nothing, and each of its lines contains the default, in at most 100 characters`()
        async throws
    {
        let template = try await run("config", "--template").expect(status: 0)
        let text = template.output.text + "\n"
        // The variables that `Program` sets.
        let nothing = ["UNDERSTUDY_DATA": "", "UNDERSTUDY_LOG_FORMAT": "", "UNDERSTUDY_ADMIN_PORT": ""]
        let defaults = try await run("config", environment: nothing).output
        #expect(try await run("config", file: text, environment: nothing).output == defaults)

        let lines = template.output.map { line in
            line.wholeMatch(of: /#([a-z-]+:.*)/).map { String($0.1) } ?? line
        }
        #expect(lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.count == Settings.all.count)
        let set = try await run("config", file: lines.text, environment: nothing).expect(status: 0)
        // Without the last column, which names the file as the source.
        #expect(set.output.map { $0.replacing(#/ +file \(.*\)$/#, with: "") } == defaults)
        #expect(SettingsTemplate.text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test func `each option of serve is a setting, and no two settings have the same name`() {
        let help = ServeCommand.helpMessage(columns: 1000)
        let options = help.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("--") }
            .map { String($0.dropFirst(2).prefix { $0 != " " && $0 != "," }) }
        #expect(Set(options).subtracting(["config", "version"]) == Set(Settings.all.map(\.name)))
        #expect(Set(Settings.all.map(\.name)).count == Settings.all.count)
    }
}
