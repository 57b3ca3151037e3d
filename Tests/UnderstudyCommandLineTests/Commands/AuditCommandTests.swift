import AccountsDatabase
import AccountsSQLite
import Foundation
import HTTPTestClient
import PostgreSQLTestSupport
import SQLStatements
import Testing

@testable import UnderstudyCommandLine

/// The audit log, as operators and servers use it.
@Suite(.timeLimit(.minutes(5)), .serialized) struct AuditCommandTests {
    private let workplace: Workplace
    private let environment: [String: String]

    init() throws {
        workplace = try Workplace()
        environment = workplace.environment
    }

    private func run(_ arguments: String..., input: String = "") async throws -> Program.Result {
        try await run(arguments, environment, input: input)
    }

    private func run(
        _ arguments: [String],
        _ environment: [String: String],
        input: String = ""
    ) async throws -> Program.Result {
        let program = try Program(arguments, environment: environment, input: input)
        defer { program.kill() }
        return await program.result()
    }

    /// Adds an account, and changes it twice: three records.
    private func makeRecords() async throws {
        let input = Workplace.password + "\n"
        let added = try await run("account", "add", "--email", "bruce@example.com", "--name", "Bruce", input: input)
        #expect(added.errors == [])
        for command in ["disable", "enable"] {
            let changed = try await run("account", command, "bruce@example.com", "--as", "marge")
            #expect(changed.errors == [])
        }
    }

    private func execute(_ sql: String...) async throws {
        let database = try SQLiteDatabase(path: workplace.database)
        defer { database.close() }
        try await database.write(sql.map { SQLStatement("test", SQLText(postgreSQL: "", sqlite: $0))() })
    }

    @Test func `the records are exported, by account and time, and verified`() async throws {
        try await makeRecords()
        let export = try await run("audit", "export")
        #expect(export.status == 0)
        #expect(export.output.count == 3)
        #expect(export.output.first?.contains(#""event":"accountAdded","#) == true)
        #expect(export.output.last?.contains(#""reason":"enabled","operator":"marge","previous":""#) == true)
        let verified = try await run("audit", "verify")
        #expect(verified.status == 0)
        #expect(verified.output.first == "3 records are valid")
        #expect(verified.output.last?.wholeMatch(of: /last hash: [0-9a-f]{64}/) != nil)
        let hash = try #require(verified.output.last?.split(separator: " ").last.map(String.init))
        #expect(try await run("audit", "verify", "--contains", hash.uppercased()).status == 0)
        #expect(try await run("audit", "verify", "--contains", String(hash.reversed())).status == 1)
        let account = try await run("audit", "export", "--account", "bruce@example.com", "--since", "1h")
        #expect(account.output == export.output)
        #expect(try await run("audit", "export", "--since", "9999-01-01").output == [])
        #expect(try await run("audit", "export", "--since", "2026").status == 64)
        let person = try await run("account", "export", "bruce@example.com")
        #expect(person.errors == [])
        #expect(person.output.count { $0.contains(#""previous" : "#) } == 2)
    }

    @Test func `an export is escaped on a terminal, and is as it is stored in a file`() async throws {
        try await makeRecords()
        try await execute("UPDATE audit_record SET line = replace(line, 'marge', 'mar\u{9B}2J\u{202E}ge')")
        #expect(try await run("audit", "export").output.last?.contains("mar\u{9B}2J\u{202E}ge") == true)
        let terminal = try PseudoTerminal()
        let arguments = ["audit", "export"]
        let program = try Program(
            arguments,
            environment: environment,
            terminal: terminal.terminal,
            shell: #"exec "$0" "$@" >&0"#
        )
        defer { program.kill() }
        #expect(await program.result().status == 0)
        let lines = terminal.lines
        #expect(lines.count == 3)
        #expect(lines.last?.contains(#"mar\u009b2J\u202ege"#) == true)
        #expect(!lines.joined().unicodeScalars.contains { $0 == "\u{9B}" || $0 == "\u{202E}" })
    }

    @Test func `the records of a deleted account are exported by its ID, and an unknown account is an error`()
        async throws
    {
        try await makeRecords()
        let account = try await run("account", "show", "bruce@example.com", "--json").output.joined()
        let id = try #require(account.firstMatch(of: /"id":"([^"]+)"/)).1
        #expect(try await run("account", "delete", "bruce@example.com", "--yes").errors == [])
        #expect(try await run("audit", "export", "--account", String(id)).output.count == 4)
        let later = try await run("audit", "export", "--account", String(id), "--since", "9999-01-01")
        #expect(later.status == 0)
        #expect(later.output == [])
        let unknown = try await run("audit", "export", "--account", "bruce@example.com")
        #expect(unknown.status == 1)
        #expect(
            unknown.errors == [
                "error: There is no account 'bruce@example.com', and no record about a deleted account with this ID."
            ]
        )
    }

    @Test func `a record that was removed from the database is found`() async throws {
        try await makeRecords()
        try await execute("DELETE FROM audit_record WHERE number = 2")
        let removed = try await run("audit", "verify")
        #expect(removed.status == 1)
        #expect(removed.output.first == "1 record is valid")
        #expect(
            removed.errors.first?.hasPrefix(
                "error: record 3: this record does not continue the one before"
            ) == true
        )
        try await execute("DELETE FROM audit_record WHERE number = 1")
        let beginning = try await run("audit", "verify")
        #expect(
            beginning.errors == [
                "error: the records before the first one were removed, and no record of 'audit prune' reports this"
            ]
        )
    }

    @Test func `all faults are listed, and of more than twenty, the others are counted`() async throws {
        try await makeRecords()
        try await execute(
            "UPDATE audit_record SET line = 'x' WHERE number = 2",
            """
            WITH RECURSIVE n(n) AS (SELECT 3 UNION SELECT n + 1 FROM n WHERE n < 25)
            INSERT INTO audit_record (number, time, account_id, line) SELECT n + 1, time, account_id, line FROM n, audit_record
            WHERE number = 1
            """
        )
        let result = try await run("audit", "verify", "--contains", "0")
        #expect(result.status == 1)
        #expect(result.output.first == "1 record is valid")
        #expect(result.errors.first == "error: record 2: this line is not a record: it was changed")
        #expect(result.errors.count == 22)
        #expect(result.errors[20] == "error: 5 more faults")
        #expect(result.errors.last == "error: No record has the hash that '--contains' gives: records are missing.")
    }

    @Test func `a record that is missing at the end is found if its hash is known`() async throws {
        try await makeRecords()
        let whole = try await run("audit", "verify").output
        let hash = try #require(whole.last?.split(separator: " ").last.map(String.init))
        try await execute("DELETE FROM audit_record WHERE number = 3")
        #expect(try await run("audit", "verify").status == 0)
        #expect(try await run("audit", "verify", "--contains", hash).status == 1)
    }

    @Test func `a log without records is valid, and a missing database is an error`() async throws {
        #expect(try await run("audit", "verify").errors.first?.hasPrefix("error: There is no database") == true)
        _ = try await run("database", "migrate")
        #expect(try await run("audit", "verify").output == ["0 records are valid"])
    }

    @Test func `an operator deletes old records, and the others are valid`() async throws {
        try await makeRecords()
        #expect(try await run("audit", "prune", "--before", "1d").status == 64)
        #expect(try await run("audit", "prune", "--before", "9999-01-01", "--yes").status == 64)
        #expect(try await run("audit", "prune", "--before", "1d", "--yes").output == ["Deleted 0 records."])
        let pruned = try await run("audit", "prune", "--before", "0s", "--yes", "--as", "marge")
        #expect(pruned.output == ["Deleted 3 records."])
        let verified = try await run("audit", "verify")
        #expect(verified.status == 0)
        #expect(verified.output.first == "1 record is valid")
        #expect(try await run("audit", "export").output.first?.contains(#""operator":"marge""#) == true)
    }

    @Test(arguments: [false, true])
    func `records that eight processes add at the same time are one chain`(usesPostgreSQL: Bool) async throws {
        let cluster = usesPostgreSQL ? try Cluster() : nil
        var environment = environment
        if let cluster { environment["UNDERSTUDY_DATABASE"] = cluster.uri }
        _ = try await run(["database", "migrate"], environment)
        let hash = "$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        let arguments = ["account", "import", "-", "--batch", "1"]
        try await withThrowingTaskGroup(of: Program.Result.self) { group in
            for process in 0..<8 {
                let lines = (0..<5).map { #"{"email":"\#(process).\#($0)@example.com","passwordHash":"\#(hash)"}"# }
                group.addTask { [environment] in
                    try await run(arguments, environment, input: lines.joined(separator: "\n"))
                }
            }
            for try await result in group { #expect(result.output == ["imported 5, rejected 0"], "\(result.errors)") }
        }
        let verified = try await run(["audit", "verify"], environment)
        #expect(verified.errors == [])
        #expect(verified.output.first == "40 records are valid")
    }

    @Test func `what users do is in the database and in the log, and can be explained`() async throws {
        try await makeRecords()
        let environment = environment.merging(["UNDERSTUDY_SESSIONS": "database"]) { $1 }
        try await withServer(environment: environment) { program, port async throws in
            let wrong = try await post(
                "/login",
                "username=bruce@example.com&password=x",
                try await newToken(port),
                port
            )
            let id = try #require(wrong.header("X-Request-ID"))
            let show = ["account", "show", "bruce@example.com"]
            let shown = try await run(show, environment).output
            #expect(
                shown.contains { $0.contains(/^last failure:  20[-0-9T:]+Z from 127\.0\.0\.1: wrongPassword$/) },
                "\(shown)"
            )
            let json = try await run(show + ["--json"], environment).output.joined()
            #expect(
                json.contains(/"lastFailure":{"address":"127\.0\.0\.1","reason":"wrongPassword","time":"20[^"]+Z"}/),
                "\(json)"
            )
            _ = try await run(["audit", "prune", "--before", "0s", "--yes"], environment)
            let pruned = try await run(show, environment).output
            #expect(pruned.contains { $0.contains(/^last failure:  20[-0-9T:]+Z$/) }, "\(pruned)")
            let token = try #require(try await logIn(port))
            #expect(try await post("/home", "event=logoutButtonPressed", token, port).status == 200)
            let records = try await run(["audit", "export", "--since", "1h"], environment).output
            #expect(records.map { $0.split(separator: "\"")[7] } == ["auditPruned", "login", "logout"])
            _ = try #require(await program.errors.next(containing: "event=logout "))
            let log = program.errors.all.filter { $0.contains(" Audit ") }
            #expect(
                log.compactMap { $0.firstMatch(of: /INFO +Audit account=\S+ client=127\.0\.0\.1 event=(\w+)/)?.1 }
                    == ["loginFailed", "login", "logout"],
                "\(log)"
            )
            let explanation = try await run(["explain", id], environment, input: log.joined(separator: "\n"))
            #expect(explanation.output.contains { $0.contains("event=loginFailed") }, "\(explanation)")
            let verified = try await run(["audit", "verify"], environment).output
            #expect(verified.first == "3 records are valid")
            let hash = try #require(verified.last?.split(separator: " ").last)
            program.send(SIGTERM)
            #expect(await program.errors.next(containing: "hash=\(hash)") != nil)
        }
    }

    @Test func `the chain continues in PostgreSQL after the database is copied`() async throws {
        let cluster = try Cluster()
        try await makeRecords()
        let original = try await run("audit", "export").output
        _ = try await run("database", "migrate", "--database", cluster.uri)
        let copy = try await run(
            "database",
            "copy",
            "--from",
            workplace.database,
            "--database",
            cluster.uri,
            "--as",
            "marge"
        )
        #expect(copy.errors == [])
        #expect(copy.output.contains("audit_record: 3"))
        let copied = try await run("audit", "export", "--database", cluster.uri).output
        #expect(copied.prefix(3) == original[...])
        #expect(
            copied.last?.contains(#""event":"databaseCopied","reason":"\#(workplace.database)","operator":"marge""#)
                == true
        )
        let verified = try await run("audit", "verify", "--database", cluster.uri)
        #expect(verified.errors == [])
        #expect(verified.output.first == "4 records are valid")
    }

    @Test func `a backup is recorded with the operator`() async throws {
        try await makeRecords()
        let file = workplace.folder.path + "/copy.sqlite"
        #expect(try await run("backup", file, "--as", "marge").errors == [])
        // The backup has the records from before.
        #expect(try await run("audit", "verify", "--database", file).output.first == "3 records are valid")
        #expect(try await run("database", "migrate", "--as", "marge").errors == [])
        let records = try await run("audit", "export").output.dropFirst(3)
        #expect(records.count == 1)
        #expect(records.first?.contains(#""event":"backupCreated","reason":"\#(file)","operator":"marge""#) == true)
    }
}
