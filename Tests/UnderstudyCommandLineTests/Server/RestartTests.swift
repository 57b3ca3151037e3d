import Foundation
import Glibc
import HTTPTestClient
import PostgreSQLTestSupport
import Testing

/// Sessions while a server is restarted.
@Suite(.timeLimit(.minutes(5))) struct RestartTests {
    private let workplace = Workplace()

    @Test func `after a crash, no session continues from an earlier state`() async throws {
        var token = ""
        try await workplace.withServer { program, port async throws in
            token = try await newToken(port)
            program.send(SIGTERM)
            _ = await program.result()
        }
        try await workplace.withServer { program, port async throws in
            #expect(try await post("/register", "userID=0", token, port).status == 200)
            program.send(SIGKILL)
            _ = await program.result()
        }
        try await workplace.withServer { _, port async throws in
            #expect(try await post("/register", "userID=0", token, port).status == 401)
        }
    }

    @Test func `a restart does not restore the sessions of an account that has changed meanwhile`() async throws {
        let commands = ["disable a@example.com", "set-password b@example.com", "delete c@example.com --yes"]
        var (tokens, guest): ([String], String) = ([], "")
        try await workplace.withServer { program, port async throws in
            for name in ["a", "b", "c"] {
                try await workplace.add("\(name)@example.com")
                tokens.append(try #require(try await logIn(port, "\(name)@example.com")))
            }
            guest = try await newToken(port)
            program.send(SIGTERM)
            _ = await program.result()
        }
        for command in commands {
            let arguments = ["account"] + command.split(separator: " ").map(String.init)
            #expect(try await workplace.run(arguments, input: "another horse battery staple\n").status == 0)
        }
        try await workplace.withServer { _, port async throws in
            for token in tokens { #expect(try await post("/register", "userID=0", token, port).status == 401) }
            #expect(try await post("/register", "userID=0", guest, port).status == 200)
        }
    }

    @Test func `during a restart under load, clients observe only a pause`() async throws {
        let reserved = try ReservedPort()
        defer { withExtendedLifetime(reserved) {} }
        let port = reserved.number
        let command = ["serve", "--port", "\(port)", "--requests", "off"]
        let first = try Program(command, environment: workplace.environment)
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
            let second = try Program(command, environment: workplace.environment)
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
