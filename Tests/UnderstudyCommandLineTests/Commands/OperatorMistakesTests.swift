@testable import UnderstudyCommandLine

/// What commands do and report if an operator names the wrong thing, or stops them.
@Suite(.fiveMinutes) struct OperatorMistakesTests {
    let workplace = Workplace()

    @Test func `a command that reads creates no tables in an empty database`() async throws {
        let (file, uri) = (try workplace.file("empty", ""), try Cluster.newDatabase())
        // The second time, it would find those of the first one.
        for database in [file, uri, uri] {
            let error = "The database '\(database)' has no tables: 'database migrate' creates them."
            try await workplace.run("account list --database", database).expect(error: error, output: [])
        }
        #expect(Files.contents(file)?.isEmpty == true)
    }

    @Test func `a database that cannot be reached is not reported as missing`() async throws {
        let loop = workplace.path("loop")
        try workplace.temporary.link("loop", to: loop)
        let error = "The database '\(loop)/accounts' cannot be opened: Too many levels of symbolic links."
        try await workplace.run("account list --database", loop + "/accounts").expect(error: error, output: [])
    }

    @Test(arguments: [
        ("restore a", "'restore' replaces an SQLite file. Use pg_restore for a PostgreSQL database."),
        ("backup a", "'backup' copies an SQLite file. Use pg_dump for a PostgreSQL database."),
        ("database accept-loss --yes", "'database accept-loss' is for an SQLite file."),
    ])
    func `a command for SQLite files says so before it reads a URI`(command: String, error: String) async throws {
        let result = try await workplace.run("\(command) --database postgresql://db.example/a")
        result.expect(error: error, status: 64, output: [])
    }

    @Test(arguments: [
        ("serve --port 65536", "a port from 0 to 65535"), ("status --admin-port x", "a port from 0 to 65535"),
        ("serve --log-level loud", "trace, debug, info, notice, warning, error or critical"),
        ("healthcheck --port x", "a port from 0 to 65535"),
        ("audit export --since x", "a day such as 2026-01-31"), ("audit prune --before x", "a day such as 2026-01-31"),
        ("config --session-idle 0s", "and not 0"), ("config --session-idle 5", "a number with ms, s, m, h or d"),
        ("config --data ~/a", "a whole path"), ("config --signups off", "1000000/1s is no limit"),
        ("config --logins 30/10", "COUNT/TIME"),
        ("config --max-body 1TiB", "KiB, MiB or GiB"),
        ("config --session-lifetime 0", "and not 0"), ("config --max-body 0", "and not 0"),
        ("config --max-session-size 0KiB", "and not 0"),
    ])
    func `an invalid value says which are valid`(command: String, form: String) async throws {
        try await workplace.run(command).expect(error: "…: expected …\(form)…", status: 64)
    }

    @Test(arguments: [
        "--record /dev/null", "--record /nonexistent/a", "--host 192.0.2.1", "--host 'no such host'",
        "--admin-host 192.0.2.1 --admin-port 0", "--loops 100000000",
    ])
    func `config finds what the machine does not permit a server`(options: String) async throws {
        let result = try await workplace.run("config \(options)")
        #expect(result.status == 1 && result.errors.count == 1, "\(result.errors)")
        #expect(result.output.count == Settings.all.count)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
    func `a user who may not read a database is told so`() async throws {
        let file = try workplace.file("d", "not empty")
        #expect(chmod(file, 0o600) == 0 && chmod(workplace.folder.path, 0o755) == 0)
        let command = ["audit", "verify", "--database", file]
        let shell = #"exec setpriv --reuid=65534 --regid=65534 --clear-groups "$0" "$@""#
        let result = try await Program.run(command, environment: workplace.environment, shell: shell)
        result.expect(error: "The database '\(file)' cannot be opened: Permission denied.", output: [])
    }

    @Test func `an invalid configuration file is wrong usage, as an invalid value is`() async throws {
        for text in ["prot: 1", "port: [1]", "port: x", "- 1", "'"] {
            let file = try workplace.file("settings.yaml", text)
            #expect(try await workplace.run("config --config", file).status == 64, "\(text)")
        }
    }

    @Test(arguments: ["0", "g".repeated(64), "0".repeated(65)])
    func `a text that cannot be a hash is wrong usage`(text: String) async throws {
        let result = try await workplace.run("audit verify --contains", text)
        let expected = "expected a SHA-256 hash of 64 hexadecimal digits."
        result.expect(error: "The value of '--contains' is invalid: \(expected)", status: 64, output: [])
    }

    @Test func `a change that the audit log cannot contain is reported in words`() async throws {
        let database = try SQLiteDatabase(path: workplace.database)
        database.close()
        let lines = LockedValue<[String]>([])
        let log = try OperatorOptions.parse([]).log(in: database)
        await Terminal.$redirection.withValue({ text, _ in lines.append(text) }) {
            await log.record(AuditEvent(.backupCreated, at: .ms(0)))
        }
        #expect(lines.value == ["error: The audit log cannot be written: 'audit' is not available\n"])
    }
}
