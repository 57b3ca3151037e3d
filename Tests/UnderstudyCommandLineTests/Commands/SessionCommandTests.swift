import Foundation
import HTTPTestClient
import PostgreSQLTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SessionCommandTests {
    private let workplace: Workplace

    init() throws {
        workplace = try Workplace()
    }

    /// Runs a server that stores each event, with an account, and passes its port and the options that name its database.
    private func withServer(
        usesPostgreSQL: Bool,
        body: (_ port: UInt16, _ database: [String]) async throws -> Void
    ) async throws {
        let cluster = usesPostgreSQL ? try Cluster() : nil
        let database = cluster.map { ["--database", $0.uri] } ?? []
        #expect(
            try await workplace.run(
                ["account", "add", "--email", "bruce@example.com", "--name", "B"] + database,
                input: Workplace.password + "\n"
            ).status == 0
        )
        let arguments = ["serve", "--port", "0", "--sessions", "database"] + database
        let program = try Program(arguments, environment: workplace.environment)
        defer { program.kill() }
        let line = try #require(await program.output.next(containing: "Listening on "))
        try await body(try #require(line.split(separator: ":").last.flatMap { UInt16($0) }), database)
    }

    private func lines(_ arguments: [String]) async throws -> [String] {
        let result = try await workplace.run(["session"] + arguments)
        #expect(result.errors == [])
        return Array(result.output)
    }

    @Test(arguments: [false, true])
    func `an operator finds a session by its user, sees what its pages show, and ends it`(usesPostgreSQL: Bool)
        async throws
    {
        try await withServer(usesPostgreSQL: usesPostgreSQL) { port, database in
            let stranger = try await newToken(port)
            _ = try await post("/register", "userID=12", stranger, port)
            let token = try #require(try await logIn(port))

            #expect(try await lines(["list"] + database).count == 3)
            let listed = try await lines(["list", "--account", "bruce@example.com"] + database)
            #expect(listed.count == 2)
            #expect(listed[1].hasSuffix("bruce@example.com"))
            let id = String(listed[1].prefix(8))

            let shown = try await lines(["show", id] + database)
            #expect(shown.first == "Session \(id)")
            #expect(shown.contains("    field username: bruce@example.com"))
            #expect(!shown.joined().contains(Workplace.password))
            let other = try #require(try await lines(["list", "--json"] + database).first { !$0.contains("bruce") })
            let otherID = try #require(other.firstMatch(of: /"id":"([0-9a-f]{8})"/)).1
            let texts = try await lines(["show", String(otherID)] + database)
            #expect(texts.contains("    shows errorMessage: A user ID has exactly twelve digits"))
            #expect(texts.contains { $0.hasSuffix("registration.invalidUserID") })

            #expect(try await post("/home", "event=viewDidLoad", token, port).status == 200)
            #expect(try await lines(["end", id, "--as", "marge"] + database) == ["Ended 1 session."])
            #expect(try await post("/home", "event=viewDidLoad", token, port).status == 401)
            #expect(try await post("/register", "userID=12", stranger, port).status == 200)
            let record = try #require(try workplace.text("audit.jsonl").split(separator: "\n").last)
            #expect(record.contains(#""event":"sessionEnded""#))
            #expect(record.contains(#""reason":"\#(id)","operator":"marge""#))
        }
    }

    @Test func `sessions are selected by their age, their last use and their address`() async throws {
        try await withServer(usesPostgreSQL: false) { port, _ in
            _ = try await post("/register", "userID=12", try await newToken(port), port)
            #expect(try await lines(["list", "--older-than", "1h"]).count == 1)
            #expect(try await lines(["list", "--unused-for", "1h"]).count == 1)
            #expect(try await lines(["list", "--unused-for", "0s", "--older-than", "0s"]).count == 2)
            #expect(try await lines(["list", "--address", "192.0.2.7"]).count == 1)
            #expect(try await lines(["end", "--older-than", "1h"]) == ["Ended 0 sessions."])
            #expect(try await lines(["end", "--unused-for", "0s"]) == ["Ended 1 session."])
            #expect(try await lines(["list"]).count == 1)
        }
    }

    @Test(
        arguments: [
            (["end"], 64), (["end", "00000000", "--older-than", "1h"], 64), (["list", "--address", "x"], 64),
            (["list", "--account", "lisa"], 1), (["show", "zzz"], 1),
        ] as [([String], Int32)]
    )
    func `a selection that is missing, ambiguous or unknown is an error`(arguments: [String], status: Int32)
        async throws
    {
        try await workplace.add()
        let result = try await workplace.run(["session"] + arguments)
        #expect(result.status == status)
        #expect(result.errors.count == 1)
    }
}
