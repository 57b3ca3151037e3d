import ArgumentParser
import Foundation
import Testing

@testable import UnderstudyCommandLine

@Suite struct SettingsReaderTests {
    /// A reader of a file with that text.
    private func reader(_ text: String?, environment: [String: String] = [:]) throws -> SettingsReader {
        guard let text else { return try SettingsReader(file: "", environment: environment) }
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).yaml")
        try Data(text.utf8).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        return try SettingsReader(file: path.path, environment: environment)
    }

    @Test func `an option takes precedence over the environment, and the environment over the file`() throws {
        let reader = try reader(
            "host: 0.0.0.0\nport: 81\ndrain: 3s\n",
            environment: ["UNDERSTUDY_HOST": "127.0.0.9", "UNDERSTUDY_PORT": "82"]
        )
        #expect(try reader.value("::1", Settings.host) == "::1")
        #expect(try reader.value(nil, Settings.port) == 82)
        #expect(try reader.value(nil, Settings.drain).duration == .seconds(3))
        #expect(try reader.value(nil, Settings.maxBody).bytes == 65_536)
        let origins = reader.readings.map(\.origin)
        #expect(origins.prefix(2) == [.option, .environment(variable: "UNDERSTUDY_PORT")])
        #expect(origins.last == .default)
    }

    @Test func `a reader for a running server keeps the values of settings that need a restart`() throws {
        func read(_ reader: SettingsReader) throws -> (port: UInt16, socket: String?, body: Int, origins: String?) {
            (
                try reader.value(nil, Settings.port), try reader.value(nil, Settings.socket),
                try reader.value(nil, Settings.maxBody).bytes, try reader.value(nil, Settings.allowedOrigins)
            )
        }
        let former = try reader("port: 81\nmax-body: 2\nallowed-origins: https://a.example")
        _ = try read(former)
        let new = try reader("port: 82\nsocket: /x\nmax-body: 3")
        #expect(try read(new) == (82, "/x", 3, nil))
        let kept = SettingsReader(new, keeping: former.readings)
        #expect(try read(kept) == (81, nil, 3, nil))
        #expect(kept.readings.changed(since: former.readings).map(\.name) == ["allowed-origins", "max-body"])
        let all = ["port", "socket", "allowed-origins", "max-body"]
        #expect(new.readings.changed(since: former.readings).map(\.name) == all)
        #expect(kept.readings.changed(since: kept.readings).isEmpty)
    }

    @Test func `a changed secret is a change, although it is not shown`() throws {
        let readers = [
            try reader("mail-url: smtp://me:one@localhost"),
            try reader("mail-url: smtp://me:two@localhost"),
        ]
        for reader in readers { _ = try reader.value(nil, Settings.mailURL) }
        #expect(readers[0].readings.map(\.text) == readers[1].readings.map(\.text))
        #expect(readers[1].readings.changed(since: readers[0].readings).map(\.name) == ["mail-url"])
    }

    @Test func `an invalid value in the environment is ignored if an option sets the value`() throws {
        let reader = try reader(nil, environment: ["UNDERSTUDY_PORT": "x"])
        #expect(try reader.value(81, Settings.port) == 81)
    }

    @Test(arguments: ["", "# port: 81\n", "port:\n", "port: ''\n"])
    func `an empty value or variable, and a file of comments, set nothing`(text: String) throws {
        let reader = try reader(text, environment: ["UNDERSTUDY_PORT": ""])
        #expect(try reader.value(nil, Settings.port) == 8080)
    }

    @Test(arguments: [("demo: true", true), ("demo: off", false), ("{\"demo\": true}", true)])
    func `a flag can be set in a file, which may be JSON`(text: String, isDemo: Bool) throws {
        #expect(try reader(text).value(false, Settings.demo) == isDemo)
    }

    @Test(arguments: [("requests: off", nil), ("requests: 'off'", nil), ("requests: 7/1s", 7)] as [(String, Int?)])
    func `a limit can be switched off in a file`(text: String, count: Int?) throws {
        #expect(try reader(text).value(nil, Settings.requests).value?.count == count)
    }

    @Test func `a list in a file is separated by commas`() throws {
        let reader = try reader("trusted-proxies: 10.0.0.0/8,unix")
        #expect(try reader.value(nil, Settings.trustedProxies) == "10.0.0.0/8,unix")
    }

    @Test(arguments: [
        ("prot: 1\n", "contains 'prot', which is not a setting."), ("1: 2", "contains '1', which is not a setting."),
        ("port: [1]\n", "must contain a single value for 'port'."),
        ("port: {a: 1}\n", "must contain a single value for 'port'."), ("[1", "cannot be read: "),
        ("port: 1\nport: 2\n", "cannot be read: "),
    ])
    func `a file that is malformed or has unknown settings is an error`(text: String, words: String) throws {
        let error = try #require(throws: (any Error).self) { try reader(text) }
        let description = (error as? ValidationError)?.message ?? "\(error)"
        #expect(description.hasPrefix("The configuration file '"))
        #expect(description.contains(words), "\(description)")
        #expect(description.components(separatedBy: "The configuration file").count == 2, "\(description)")
    }

    @Test(arguments: [
        ("port: 1\nport: 2\n", "line 4, column 1: 'port' is there more than once"),
        ("port: [1\n", "line 4, column 1: "),
        ("port: a: b\n", "line 3, column "), ("\u{1}: 1\n", "control characters are not allowed"),
    ]) func `the reason why a file cannot be read contains no password of it`(rest: String, reason: String) throws {
        let secrets = "database: postgresql://understudy:canary@db/a\nmail-url: smtp://understudy:canary@mail\n"
        let error = try #require(throws: CommandError.self) { try reader(secrets + rest) }
        #expect(error.description.contains(reason), "\(error)")
        #expect(!error.description.contains("canary"))
    }

    @Test func `a missing file is an error`() throws {
        let error = try #require(throws: CommandError.self) {
            try SettingsReader(file: "/nonexistent/a.yaml", environment: [:])
        }
        let reason = "No such file or directory"
        #expect(error.description == "The configuration file '/nonexistent/a.yaml' cannot be read: \(reason)")
    }

    @Test func `an invalid value is an error that names its source and the expected form`() throws {
        let file = try reader("port: x")
        let fileError = try #require(throws: ValidationError.self) { try file.value(nil, Settings.port) }
        #expect(fileError.message.hasPrefix("The value 'x' is invalid for 'port' in '/"))
        #expect(fileError.message.hasSuffix(".yaml': expected a port from 0 to 65535."))
        let environment = try reader(nil, environment: ["UNDERSTUDY_REQUESTS": "7"])
        let error = try #require(throws: ValidationError.self) { try environment.value(nil, Settings.requests) }
        #expect(
            error.message
                == "The value '7' is invalid for the environment variable UNDERSTUDY_REQUESTS: "
                + "expected COUNT/TIME, such as 30/10m, or off."
        )
    }
}
