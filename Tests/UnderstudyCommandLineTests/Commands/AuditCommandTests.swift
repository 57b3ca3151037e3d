import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct AuditCommandTests {
    private let workplace: Workplace
    private var path: String { workplace.folder.path + "/audit.jsonl" }

    /// A log with four records.
    init() async throws {
        workplace = try Workplace()
        try await workplace.add()
        for command in ["disable", "enable", "disable"] {
            _ = try await workplace.run("account", command, "bruce@example.com")
        }
    }

    private func lines() throws -> [String] {
        try workplace.text("audit.jsonl").split(separator: "\n").map(String.init)
    }

    private func write(_ lines: [String]) throws {
        _ = try workplace.file("audit.jsonl", lines.map { $0 + "\n" }.joined())
    }

    @Test func `a log with all records is valid`() async throws {
        let result = try await workplace.run("audit", "verify")
        #expect(result.status == 0)
        #expect(result.errors == [])
        #expect(result.output.first == "4 records are valid")
        #expect(result.output.last?.wholeMatch(of: /last hash: [0-9a-f]{64}/) != nil)
        #expect(try await workplace.run("audit", "verify", path).output == result.output)
        #expect(
            try await workplace.run(["audit", "verify", "-"], input: workplace.text("audit.jsonl")).output
                == result.output
        )
    }

    @Test func `a record that was removed or changed is found`() async throws {
        let lines = try lines()
        try write([lines[0], lines[2], lines[3]])
        let removed = try await workplace.run("audit", "verify")
        #expect(removed.status == 1)
        #expect(removed.output.first == "2 records are valid")
        #expect(
            removed.errors.first?.hasPrefix("error: \(path), line 2: this record does not continue the line before")
                == true
        )
        try write([lines[0].replacing("accountAdded", with: "accountaddeD")] + lines.dropFirst())
        #expect(try await workplace.run("audit", "verify").errors.first?.contains("line 2: ") == true)
        try write([lines[0], String(lines[1].dropLast(9))])
        #expect(
            try await workplace.run("audit", "verify").errors.first?.contains("line 2: this line is not a record")
                == true
        )
    }

    @Test func `all faults are listed, and of more than twenty, the others are counted`() async throws {
        let lines = try lines()
        try write([lines[0], lines[2], "", lines[3]])
        let several = try await workplace.run("audit", "verify", "--contains", "0")
        #expect(several.status == 1)
        #expect(
            several.errors.map { $0.split(separator: ":").dropFirst().first } == [
                " \(path), line 2", " \(path), line 3", " \(path), line 4",
                " No line has the hash that '--contains' gives",
            ]
        )
        try write(Array(repeating: lines[0], count: 26))
        let many = try await workplace.run("audit", "verify")
        #expect(many.errors.count == 21)
        #expect(many.errors.dropLast().last?.hasPrefix("error: \(path), line 21: ") == true)
        #expect(many.errors.last == "error: 5 more faults")
    }

    @Test func `a record that is missing at the end is found if its hash is known`() async throws {
        let whole = try await workplace.run("audit", "verify").output
        let hash = try #require(whole.last?.split(separator: " ").last.map(String.init))
        try write(try lines().dropLast())
        #expect(try await workplace.run("audit", "verify").status == 0)
        let known = try await workplace.run("audit", "verify", "--contains", hash)
        #expect(known.status == 1)
        #expect(known.errors == ["error: No line has the hash that '--contains' gives: records are missing."])
    }

    @Test func `a server that stops logs the hash of the last record`() async throws {
        let verified = try await workplace.run("audit", "verify").output
        let hash = try #require(verified.last?.split(separator: " ").last)
        try await withServer(environment: workplace.environment) { program, _ async throws in
            program.send(SIGTERM)
            #expect(await program.errors.next(containing: "hash=\(hash)") != nil)
        }
    }

    @Test func `the chain continues in the file after a rotated one`() async throws {
        #expect(rename(path, path + ".1") == 0)
        for command in ["enable", "disable"] { _ = try await workplace.run("account", command, "bruce@example.com") }
        #expect(try await workplace.run("audit", "verify").output.first == "2 records are valid")
        #expect(try await workplace.run("audit", "verify", path + ".1", path).output.first == "6 records are valid")
        let swapped = try await workplace.run("audit", "verify", path, path + ".1")
        #expect(swapped.status == 1)
        #expect(swapped.errors.first?.contains("\(path).1, line 1: ") == true)
    }

    @Test func `a file that is missing or empty has no records`() async throws {
        try write([])
        #expect(try await workplace.run("audit", "verify").output == ["0 records are valid"])
        let missing = try await workplace.run("audit", "verify", "/nonexistent")
        #expect(missing.status == 1)
        #expect(missing.errors == ["error: The file '/nonexistent' cannot be read: No such file or directory."])
    }
}
