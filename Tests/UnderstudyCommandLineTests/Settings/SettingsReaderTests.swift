@testable import UnderstudyCommandLine

struct SettingsReaderTests {
    let workplace = Workplace()

    /// A reader of a file with that text.
    func reader(_ text: String?, environment: [String: String] = [:]) throws -> SettingsReader {
        guard let text else { return try SettingsReader(file: "", environment: environment) }
        return try SettingsReader(file: workplace.file("settings.yaml", text), environment: environment)
    }

    static let requests = Setting("requests", TextParser.rate.orOff, default: "1200/1m")

    @Test func `an option takes precedence over the environment, even an invalid one, and that over the file`() throws {
        let options = try SettingOptions<Settings.Listening>.parse(["--host", "::1"])
        let reader = try reader(
            "host: 0.0.0.0\nport: 81\ndrain: 3s\n",
            environment: ["UNDERSTUDY_HOST": "127.0.0.9", "UNDERSTUDY_PORT": "82"]
        ).with(options)
        #expect(try reader.value(Settings.host) == "::1")
        #expect(try reader.value(Settings.port) == 82)
        #expect(reader.origin(of: Settings.host) == .option)
        #expect(reader.origin(of: Settings.port) == .environment(variable: "UNDERSTUDY_PORT"))
        #expect(reader.origin(of: Settings.maxSessionSize) == nil)
        #expect(reader.shown(Settings.maxSessionSize) == "64KiB")
        let invalid = try self.reader(nil, environment: ["UNDERSTUDY_PORT": "x"])
        #expect(try invalid.value(Settings.port, option: "81") == 81)
    }

    @Test func `a running server keeps the values of settings that need a restart`() throws {
        let former = try reader("port: 81\nmax-body: 2\nallowed-origins: https://a.example")
        let new = try reader("port: 82\nsocket: /x\nmax-body: 3")
        let kept = new.keeping(former)
        #expect(try kept.value(Settings.port) == 81)
        #expect(try kept.value(Settings.socket) == nil)
        #expect(kept.changed(since: former).map(\.name) == ["allowed-origins", "max-body"])
        #expect(new.changed(since: former).map(\.name) == ["port", "socket", "allowed-origins", "max-body"])
        #expect(kept.changed(since: kept).isEmpty)
    }

    @Test func `a changed secret is a change, although it is not shown`() throws {
        let former = try reader("mail-url: smtp://me:one@localhost")
        let new = try reader("mail-url: smtp://me:two@localhost")
        #expect(new.shown(Settings.mailURL) == "smtp://me:…@localhost")
        #expect(new.shown(Settings.mailURL) == former.shown(Settings.mailURL))
        #expect(new.changed(since: former).map(\.name) == ["mail-url"])
    }

    @Test func `a password is hidden, also one that begins with a combining character`() {
        let password = "\u{301}secret"
        #expect(HiddenSecrets.mailURL("smtp://me:\(password)@localhost") == "smtp://me:…@localhost")
        for uri in ["postgres://me:\(password)@localhost/db", "postgres://me@localhost/db?p%61ssword=\(password)"] {
            #expect(HiddenSecrets.database(uri) == "postgresql://me:…@localhost/db")
        }
        #expect(HiddenSecrets.database("postgres://\u{301}me:secret@localhost") == "postgresql://%CC%81me:…@localhost/")
        #expect(HiddenSecrets.database("postgres://me:\(password)/@localhost/db") == "postgresql://…")
        for scheme in ["POSTGRESQL://", "postgresql:/", " postgres:", "jdbc:postgresql://", "pgsql://"] {
            #expect(HiddenSecrets.database("\(scheme)me:secret@localhost/db") == "postgresql://…")
        }
        #expect(HiddenSecrets.database("postgres.sqlite") == "postgres.sqlite")
    }

    @Test(arguments: ["", "# port: 81\n", "port:\n", "port: ''\n", "port: ~\n", "port: null\n"])
    func `an empty value or variable, and a file of comments, set nothing`(text: String) throws {
        #expect(try reader(text, environment: ["UNDERSTUDY_PORT": ""]).value(Settings.port) == 8080)
    }

    @Test func `an option with an empty value is invalid, as a shell passes a variable that is not set`() throws {
        let reader = try reader(nil).with(SettingOptions<Settings.Storage>.parse(["--data", ""]))
        #expect(throws: ValidationError.self) { try reader.databaseLocation() }
    }

    @Test func `a file may be JSON, and a word may be in quotes`() throws {
        for (text, isDemo) in [("demo: true", true), ("demo: off", false), ("{\"demo\": true}", true)] {
            #expect(try reader(text).value(Settings.demo) == isDemo)
        }
        for text in ["requests: off", "requests: 'off'"] { #expect(try reader(text).value(Self.requests) == nil) }
    }

    @Test(arguments: [
        ("prot: 1\n", "contains 'prot', which is not a setting."), ("1: 2", "contains '1', which is not a setting."),
        ("port: [1]\n", "must contain a single value for 'port'."),
        ("port: {a: 1}\n", "must contain a single value for 'port'."), ("[1", "cannot be read: "),
        ("port: 1\nport: 2\n", "cannot be read: "),
    ])
    func `a file that is malformed or has unknown settings is an error`(text: String, words: String) throws {
        let description = try #require(throws: CommandError.self) { try reader(text) }.description
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

    @Test func `a missing file is an error`() {
        let error = #expect(throws: CommandError.self) { try SettingsReader(file: "/nonexistent/a", environment: [:]) }
        #expect(error?.description == "The configuration file '/nonexistent/a' cannot be read: \(systemError(ENOENT)).")
    }

    @Test func `an invalid value is an error that names its source and the expected form`() throws {
        let fileError = try #require(throws: ValidationError.self) { try reader("port: x").value(Settings.port) }
        #expect(fileError.message.hasPrefix("The value 'x' is invalid for 'port' in '/"))
        #expect(fileError.message.hasSuffix(".yaml': expected a port from 0 to 65535."))
        let environment = try reader(nil, environment: ["UNDERSTUDY_REQUESTS": "7"])
        let error = try #require(throws: ValidationError.self) { try environment.value(Self.requests) }
        #expect(
            error.message
                == "The value '7' is invalid for the environment variable UNDERSTUDY_REQUESTS: "
                + "expected COUNT/TIME, such as 30/10m (1000000/1s is no limit), or off."
        )
    }
}
