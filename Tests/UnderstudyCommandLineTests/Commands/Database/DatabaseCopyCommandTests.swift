import Foundation
import PostgreSQLTestSupport
import Testing

@testable import UnderstudyCommandLine

@Suite(.timeLimit(.minutes(5)), .serialized) struct DatabaseCopyCommandTests {
    private let workplace: Workplace
    private let file: String

    init() throws {
        workplace = try Workplace()
        file = workplace.folder.appendingPathComponent("understudy.sqlite").path
    }

    private func copy(to uri: String = "postgresql://postgres@127.0.0.1:1/postgres") async throws -> Program.Result {
        try await workplace.run("database", "copy", "--from", file, "--database", uri)
    }

    @Test func `the command copies a file, prints the number of rows, and refuses to copy it again`() async throws {
        let uri = Cluster.shared.uri
        try await workplace.add()
        let first = try await copy(to: uri)
        #expect(first.errors == [])
        #expect(first.status == 0)
        #expect(first.output.prefix(3) == ["account: 1", "passkey: 0", "session_revocation: 0"])
        #expect(first.output.last == "\(uri): the copy of '\(file)' is complete and verified")
        let account = try await workplace.run("account", "show", "bruce@example.com", "--database", uri)
        #expect(account.status == 0)
        let second = try await copy(to: uri)
        second.expect(status: 1, output: [])
        second.expect(errors: [
            "error: Nothing was copied to '\(uri)': the table 'account' has rows; copy to an empty database, so that nothing is overwritten."
        ])
    }

    @Test func `a file that a server uses is not copied, and a target that cannot be reached is an error`() async throws
    {
        try await withServer(environment: workplace.environment) { program, _ async throws in
            let result = try await copy()
            #expect(result.status == 1)
            #expect(result.errors.count == 1)
            let error = try #require(result.errors.first)
            #expect(error.hasPrefix("error: Another process (\(program.id)) has '\(file)' open"), "\(error)")
            program.send(SIGKILL)
            #expect(await program.result().status != 0)
            let unreachable = try await copy()
            #expect(unreachable.status == 1)
            #expect(unreachable.errors.count == 1)
            #expect(unreachable.errors.first?.hasPrefix("error: The database 'postgresql://") == true)
        }
    }

    @Test func `nothing is copied to a database that a server uses`() async throws {
        let cluster = try Cluster()
        try await workplace.add()
        let environment = workplace.environment.merging(["UNDERSTUDY_DATABASE": cluster.uri]) { $1 }
        try await withServer(environment: environment) { program, _ async throws in
            let result = try await copy(to: cluster.uri)
            result.expect(status: 1, output: [])
            let error = try #require(result.errors.first)
            #expect(error.hasPrefix("error: Nothing was copied to '\(cluster.uri)': the server '"), "\(error)")
            #expect(error.hasSuffix(" \(program.id)' uses it. Stop it first."), "\(error)")
        }
    }

    @Test(arguments: [
        (nil, "There is no file '%'."), (String(repeating: "text ", count: 1_000), "'%' is not an SQLite database"),
        ("", "The file '%' has no tables: there is nothing to copy."),
    ])
    func `a file that is missing, no database or without tables is an error, and stays as it is`(
        text: String?,
        error: String
    ) async throws {
        if let text { _ = try workplace.file("understudy.sqlite", text) }
        try await copy().expect(status: 1, errors: ["error: " + error.replacing("%", with: file)])
        #expect((try? workplace.text("understudy.sqlite")) == text)
    }

    @Test func `the target must be a PostgreSQL database`() async throws {
        let result = try await copy(to: "other.sqlite")
        #expect(result.status == 64)
        #expect(result.errors.first?.contains("--database postgresql://") == true)
    }
}
