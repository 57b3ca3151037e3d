import Foundation
import Glibc
import HTTPTestClient
import PostgreSQLTestSupport
import Testing

/// Sessions while a server is restarted.
@Suite(.timeLimit(.minutes(5))) struct RestartTests {
    @Test func `a restart logs no user out, and a half-filled form stays filled`() async throws {
        let workplace = try Workplace()
        try await workplace.add()
        var token = ""
        try await withServer(environment: workplace.environment) { program, port async throws in
            token = try #require(try await logIn(port))
            #expect(try await post("/signup", "event=nameChanged&name=Lisa", token, port).status == 200)
            program.send(SIGTERM)
            let stopped = await program.result()
            #expect(stopped.status == 0)
        }
        try await withServer(environment: workplace.environment) { program, port async throws in
            let session = try await get("/session", token, port)
            #expect(session.text.contains(#""username":"bruce@example.com""#), "\(session.text)")
            #expect(try await get("/signup", token, port).text.contains(#""values":{"name":"Lisa"}"#))
            let next = try await post("/register", "userID=012345678912", token, port)
            #expect(next.text.hasPrefix(#"{"sequence":4,"#), "\(next.text)")
        }
    }

    @Test func `after a crash, no session continues from an earlier state`() async throws {
        let workplace = try Workplace()
        var token = ""
        try await withServer(environment: workplace.environment) { program, port async throws in
            token = try await newToken(port)
            program.send(SIGTERM)
            _ = await program.result()
        }
        try await withServer(environment: workplace.environment) { program, port async throws in
            #expect(try await post("/register", "userID=0", token, port).status == 200)
            program.send(SIGKILL)
            _ = await program.result()
        }
        try await withServer(environment: workplace.environment) { _, port async throws in
            #expect(try await post("/register", "userID=0", token, port).status == 401)
        }
    }

    @Test(arguments: ["disable", "set-password", "delete --yes"])
    func `a restart does not restore the sessions of an account that has changed meanwhile`(command: String)
        async throws
    {
        let workplace = try Workplace()
        try await workplace.add()
        var (batman, guest) = ("", "")
        try await withServer(environment: workplace.environment) { program, port async throws in
            batman = try #require(try await logIn(port))
            guest = try await newToken(port)
            program.send(SIGTERM)
            _ = await program.result()
        }
        let changed = try await workplace.run(
            ["account"] + command.split(separator: " ").map(String.init) + ["bruce@example.com"],
            input: "another horse battery staple\n"
        )
        #expect(changed.status == 0)
        try await withServer(environment: workplace.environment) { _, port async throws in
            #expect(try await post("/register", "userID=0", batman, port).status == 401)
            #expect(try await post("/register", "userID=0", guest, port).status == 200)
        }
    }

    @Test func `during a restart under load, clients observe only a pause`() async throws {
        let workplace = try Workplace()
        let reserved = try ReservedPort()
        defer { withExtendedLifetime(reserved) {} }
        let port = reserved.number
        let environment = workplace.environment.merging([
            "UNDERSTUDY_PORT": "\(port)", "UNDERSTUDY_REQUESTS": "off",
        ]) { $1 }
        let first = try Program(["serve"], environment: environment)
        defer { first.kill() }
        _ = try #require(await first.output.next(containing: "Listening on "))
        let progress = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                let token = try await newToken(port)
                group.addTask {
                    for number in 1...300 {
                        let answer = try await retrying(number, token, port)
                        // Each event gives two commands. A lost or repeated event would have another number.
                        #expect(answer.text.hasPrefix(#"{"sequence":\#(number * 2),"#), "\(number): \(answer.text)")
                        progress.continuation.yield()
                    }
                }
            }
            var events = progress.stream.makeAsyncIterator()
            for _ in 0..<400 { await events.next() }
            first.send(SIGTERM)
            let stopped = await first.result()
            #expect(stopped.status == 0)
            let second = try Program(["serve"], environment: environment)
            defer { second.kill() }
            try await group.waitForAll()
        }
    }

    // MARK: Helpers

    /// Sends an event again with the same key, until a server responds.
    private func retrying(_ number: Int, _ token: String, _ port: UInt16) async throws -> TestResponse {
        while true {
            do {
                return try await post("/register", "userID=012345678912", token, port, key: "\(number)")
            } catch let error where !(error is CancellationError) {
                await Task.yield()
            }
        }
    }
}
