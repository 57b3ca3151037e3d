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

    @Test func `the status of another program says that it is another program`() async throws {
        let other = try OtherServer(responding: "HTTP/1.0 404 Not Found\r\n\r\n")
        let result = try await workplace.run("status", "--admin-port", "\(other.port)")
        let reason = "it is not the port for operators of Understudy"
        result.expect(status: 1, output: [], errors: ["error: 127.0.0.1 port \(other.port): \(reason)"])
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `an import that is stopped prints how much it has imported`(signal: Int32) async throws {
        let input = Pipe()
        let account = #"{"email":"lisa@example.com","password":"\#(Workplace.password)"}"#
        try input.fileHandleForWriting.write(contentsOf: Data("\(account)\n{}\n".utf8))
        let program = try Program(
            ["account", "import", "-", "--batch", "1"],
            environment: workplace.environment,
            terminal: input.fileHandleForReading
        )
        defer { program.kill() }
        _ = try #require(await program.errors.next(containing: "line 2: the email address is missing"))
        program.send(signal)
        let result = await program.result()
        #expect(result.signal == signal)
        #expect(result.output == ["imported 1, rejected 1"])
        #expect(result.errors.last == "note: stopped before the end of the file")
        withExtendedLifetime(input) {}
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
