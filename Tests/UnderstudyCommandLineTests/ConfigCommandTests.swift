import ArgumentParser
import Foundation
import Testing

@testable import UnderstudyCommandLine

@Suite(.timeLimit(.minutes(1))) struct ConfigCommandTests {
    private func run(
        _ arguments: String...,
        file: String? = nil,
        environment: [String: String] = [:]
    ) async throws -> Program.Result {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: path) }
        if let file { try Data(file.utf8).write(to: path) }
        let program = try Program(
            arguments + (file == nil ? [] : ["--config", path.path]),
            environment: environment
        )
        defer { program.kill() }
        return await program.result()
    }

    private func line(_ name: String, of result: Program.Result) -> [Substring] {
        result.output.first { $0.hasPrefix(name + " ") }?.split(separator: " ") ?? []
    }

    @Test func `an option wins over the environment, and that over the file`() async throws {
        let result = try await run(
            "config",
            "--host",
            "::1",
            file: "host: 0.0.0.0\nport: 81\ndrain: 3s\n",
            environment: ["UNDERSTUDY_HOST": "127.0.0.9", "UNDERSTUDY_PORT": "82"]
        )
        #expect(result.status == 0)
        #expect(line("host", of: result) == ["host", "::1", "option"])
        #expect(line("port", of: result) == ["port", "82", "environment", "(UNDERSTUDY_PORT)"])
        #expect(line("drain", of: result).prefix(3) == ["drain", "3s", "file"])
        #expect(line("max-body", of: result) == ["max-body", "64KiB"])
        #expect(result.errors == [])
    }

    @Test func `every setting is shown, and nothing is started or made`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)")
        let result = try await run("config", "--data", folder.path)
        #expect(result.output.map { $0.prefix { $0 != " " } } == Settings.all.map { $0.name[...] })
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func `a file is also found by the environment, and may be JSON`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: path) }
        try Data("{\"port\": 81, \"demo\": true}".utf8).write(to: path)
        let result = try await run("config", environment: ["UNDERSTUDY_CONFIG": path.path])
        #expect(line("port", of: result).prefix(3) == ["port", "81", "file"])
        #expect(line("demo", of: result).prefix(3) == ["demo", "true", "file"])
    }

    @Test(arguments: [
        ("requests: off\n", "requests", "off"), ("requests: 'off'\n", "requests", "off"),
        ("requests: 7/1s\n", "requests", "7/1s"),
        ("trusted-proxies: 10.0.0.0/8,unix\n", "trusted-proxies", "10.0.0.0/8,unix"),
    ])
    func `a limit can be switched off in a file, and a list stands there as in an option`(
        file: String,
        name: String,
        value: String
    ) async throws {
        let result = try await run("config", file: file)
        #expect(line(name, of: result).prefix(3) == [name[...], value[...], "file"], "\(result.errors)")
    }

    @Test(arguments: [
        ("prot: 1\n", "'prot', which is no setting", Int32(1)), ("port: x\n", "'x' is invalid for 'port'", 64),
        ("port: [1]\n", "no single value for 'port'", 1), ("port: {a: 1}\n", "no single value for 'port'", 1),
        ("[1", "cannot be read", 1), ("1: 2", "'1', which is no setting", 1),
        ("port: 1\nport: 2\n", "cannot be read", 1), ("demo: perhaps\n", "'perhaps' is invalid for 'demo'", 64),
    ])
    func `a file that will not do is one line of error`(file: String, words: String, status: Int32) async throws {
        for command in ["config", "serve"] {
            let result = try await run(command, file: file)
            #expect(result.status == status)
            #expect(result.errors.count == 1)
            #expect(result.errors.first?.contains(words) == true, "\(result.errors)")
        }
    }

    @Test(arguments: ["", "# port: 81\n", "port:\n", "port: ''\n"])
    func `a file may set nothing`(file: String) async throws {
        let result = try await run("config", file: file)
        #expect(result.status == 0, "\(result.errors)")
        #expect(line("port", of: result) == ["port", "8080"])
    }

    @Test func `the template sets nothing, and each of its lines sets the default`() async throws {
        let template = try await run("config", "--template")
        #expect(template.status == 0)
        let text = template.output.joined(separator: "\n") + "\n"
        #expect(text == SettingsTemplate.text)
        // What tests set otherwise.
        let nothing = ["UNDERSTUDY_DATA": "", "UNDERSTUDY_LOG_FORMAT": "", "UNDERSTUDY_ADMIN_PORT": ""]
        let defaults = try await run("config", environment: nothing).output
        #expect(try await run("config", file: text, environment: nothing).output == defaults)

        let lines = template.output.map { line in
            line.wholeMatch(of: /#([a-z-]+:.*)/).map { String($0.1) } ?? line
        }
        #expect(lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.count == Settings.all.count)
        let set = try await run("config", file: lines.joined(separator: "\n"), environment: nothing)
        #expect(set.status == 0, "\(set.errors)")
        // Without the last column, which says that the file has set it.
        let values = set.output.map { $0.replacing(#/ +file \(.*\)$/#, with: "") }
        #expect(values == defaults)
    }

    @Test func `no line of the template is longer than 100 characters`() {
        #expect(SettingsTemplate.text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test func `a file that is not there is one line of error`() async throws {
        let result = try await run("config", "--config", "/nonexistent/a.yaml")
        #expect(result.status == 1)
        #expect(result.errors.count == 1)
        #expect(result.errors.first?.contains("/nonexistent/a.yaml") == true)
    }

    @Test func `every option of the server is a setting, and is named once`() {
        let help = ServeCommand.helpMessage(columns: 1000)
        let options = help.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("--") }
            .map { String($0.dropFirst(2).prefix { $0 != " " }) }
        #expect(Set(options).subtracting(["config", "version"]) == Set(Settings.all.map(\.name)))
        #expect(Set(Settings.all.map(\.name)).count == Settings.all.count)
    }
}
