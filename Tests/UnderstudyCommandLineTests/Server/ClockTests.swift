import Foundation
import Glibc
import HTTPTestClient
import PostgreSQLTestSupport
import Testing

/// Servers on machines whose clocks are wrong, or are set while they run.
@Suite(.timeLimit(.minutes(5)), .serialized) struct ClockTests {
    private let workplace = Workplace()

    private func status(_ path: String, _ port: UInt16) async throws -> Int {
        try await HTTPTestClient.request("GET", path, port: port).status
    }

    private func failToLogIn(_ port: UInt16) async throws {
        let form = "username=bruce@example.com&password=joker"
        #expect(try await post("/login", form, newToken(port), port).status == 200)
    }

    @Test func `servers with one PostgreSQL database use its time, whatever their machines' clocks show`()
        async throws
    {
        let uri = try Cluster.newDatabase()
        let clock = try ShiftedClock(seconds: 50)
        let options = ["--database", uri, "--sessions", "database", "--session-idle", "30s", "--admin-port", "0"]
        try await workplace.withServer(options) { _, right async throws in
            try await workplace.withServer(options, environment: clock.environment) {
                wrongProgram,
                wrong async throws in
                let operators = try await wrongProgram.operatorsPort
                try await workplace.add("bruce@example.com", "--database", uri)
                let token = try #require(try await logIn(right))
                // The clock is so wrong that the session would have expired.
                #expect(try await status("/readyz", wrong) == 200)
                // The right server uses the session meanwhile, so that it does not expire on a loaded machine.
                let hasLooked = try await eventually {
                    #expect(try await get("/session", token, right).status == 200)
                    return try await removals(operators) > 0
                }
                #expect(hasLooked)
                #expect(try await get("/session", token, wrong).status == 200)

                for seconds: Int64 in [31 * 60, -3600] {
                    try clock.set(seconds: seconds)
                    #expect(try await status("/readyz", wrong) == 503)
                    #expect(try await status("/readyz", right) == 200)
                    #expect(try await get("/session", token, wrong).status == 200)
                    let other = try #require(try await logIn(wrong))
                    #expect(try await get("/session", other, right).status == 200)
                    let difference = try await metric("understudy_clock_difference_seconds", operators)
                    #expect(minutes(difference) == seconds / 60)
                    let line = await wrongProgram.errors.next(containing: "by more than a minute")
                    let logged = line?.firstMatch(of: /seconds=(-?[0-9.]+)/).flatMap { Double($0.1) }
                    #expect(logged.map(minutes) == seconds / 60, "\(line ?? "")")
                    try clock.set(seconds: 0)
                    #expect(try await status("/readyz", wrong) == 200)
                    #expect(await wrongProgram.errors.next(containing: "agrees with the database's again") != nil)
                }
                // Once for each time at which the clock was set.
                #expect(wrongProgram.errors.all.count { $0.contains("by more than a minute") } == 2)

                for _ in 1...5 { try await failToLogIn(right) }
                try clock.set(seconds: 31 * 60)
                let shown = try await Program.run(
                    ["account", "show", "bruce@example.com", "--database", uri],
                    environment: workplace.environment.merging(clock.environment) { $1 }
                )
                #expect(shown.output.contains { $0.contains("locked until") })
            }
        }
    }

    /// A difference of clocks in minutes: half of the round trip to the database, which takes long on a loaded machine, is part of it.
    private func minutes(_ seconds: Double) -> Int64 { Int64((seconds / 60).rounded()) }

    /// How often a server has looked for expired sessions.
    private func removals(_ port: UInt16) async throws -> Double {
        try await metric(
            #"understudy_database_statement_duration_seconds_count{statement="delete expired sessions"}"#,
            port
        )
    }

    /// The value of a metric; 0 if it is missing.
    private func metric(_ name: String, _ port: UInt16) async throws -> Double {
        let text = try await HTTPTestClient.request("GET", "/metrics", port: port).text
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Double($0.dropFirst(name.count + 1)) } ?? 0
    }
}
