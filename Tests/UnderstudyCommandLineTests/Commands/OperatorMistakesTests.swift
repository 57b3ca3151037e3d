import Accounts
import AccountsSQLite
import ArgumentParser
import BusinessLogic
import Foundation
import Synchronization
import Testing

@testable import UnderstudyCommandLine

/// What commands do and report if an operator names the wrong thing, or stops them.
@Suite(.timeLimit(.minutes(5))) struct OperatorMistakesTests {
    private let workplace = Workplace()

    @Test func `a command that reads creates no tables in an empty file`() async throws {
        let file = try workplace.file("empty", "")
        let result = try await workplace.run("account", "list", "--database", file)
        let reason = "has no tables: 'database migrate' creates them."
        result.expect(status: 1, output: [], errors: ["error: The database '\(file)' \(reason)"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).isEmpty)
    }

    @Test func `a database that cannot be reached is not reported as missing`() async throws {
        let loop = workplace.folder.appendingPathComponent("loop").path
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        let result = try await workplace.run("account", "list", "--database", loop + "/accounts")
        let reason = "cannot be opened: Too many levels of symbolic links."
        result.expect(status: 1, output: [], errors: ["error: The database '\(loop)/accounts' \(reason)"])
    }

    @Test func `an invalid configuration file is wrong usage, as an invalid value is`() async throws {
        for text in ["prot: 1", "port: [1]", "port: x", "- 1", "'"] {
            let file = try workplace.file("settings.yaml", text)
            #expect(try await workplace.run("config", "--config", file).status == 64, "\(text)")
        }
    }

    @Test(arguments: ["0", String(repeating: "g", count: 64), String(repeating: "0", count: 65)])
    func `a text that cannot be a hash is wrong usage`(text: String) async throws {
        let result = try await workplace.run("audit", "verify", "--contains", text)
        let expected = "expected a SHA-256 hash of 64 hexadecimal digits."
        result.expect(status: 64, output: [], errors: ["error: The value of '--contains' is invalid: \(expected)"])
    }

    @Test func `processes that create one database at once wait for each other`() async throws {
        let statuses = await withTaskGroup(of: Int32?.self) { group in
            for _ in 1...8 {
                group.addTask {
                    try? await Program.run(["database", "migrate"], environment: workplace.environment).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 0, count: 8))
    }

    @Test func `a change that the audit log cannot contain is reported in words`() async throws {
        let database = try SQLiteDatabase(path: workplace.database)
        database.close()
        let lines = Mutex<[String]>([])
        let log = try OperatorOptions.parse([]).log(in: database)
        await Terminal.$redirection.withValue({ text, _ in lines.withLock { $0.append(text) } }) {
            await log.record(AuditEvent(.backupCreated, at: Timestamp(milliseconds: 0)))
        }
        #expect(lines.withLock(\.self) == ["error: The audit log cannot be written: 'audit' is not available\n"])
    }

    @Test func `a search for outcomes shows its progress on a terminal`() async throws {
        let command = "'\(Program.executable.path)' coverage --pairs 1 >/dev/null"
        let program = try Program(["--quiet", "--command", command, "/dev/null"], running: "/usr/bin/script")
        defer { program.kill() }
        let result = await program.result()
        #expect(result.output.joined().contains(" events, "))
        #expect(result.output.joined().contains(" pairs of states\u{1B}[K"))
    }
}
