/// Sessions while a server is restarted.
@Suite(.fiveMinutes) struct RestartTests {
    let workplace = Workplace()

    @Test func `a restart restores the sessions of accounts that have not changed, and a crash restores none`()
        async throws
    {
        var (changed, unchanged) = ("", "")
        try await workplace.add()
        try await workplace.withServer { program, port async throws in
            changed = try await loggedIn(port)
            unchanged = try await newToken(port)
            await program.end(SIGTERM)
        }
        try await workplace.expect("$ account disable bruce@example.com\nDisabled the account 'bruce@example.com'.")
        func status(_ token: String, _ port: UInt16) async throws -> Int {
            try await post("/register", "userID=0", token, port).status
        }
        try await workplace.withServer { program, port async throws in
            #expect(try await status(changed, port) == 401)
            #expect(try await status(unchanged, port) == 200)
            await program.end(SIGKILL)
        }
        try await workplace.withServer { _, port async throws in
            #expect(try await status(unchanged, port) == 401)
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
            await first.end(SIGTERM).expect(status: 0)
            let second = try Program(command, environment: workplace.environment)
            defer { second.kill() }
            try await group.waitForAll()
        }
    }

    // MARK: Helpers

    /// Sends an event again with the same key, until a server responds.
    func retrying(_ number: Int, _ token: String, _ port: UInt16) async throws -> TestResponse {
        while true {
            do {
                return try await post("/register", "userID=012345678912", token, port, key: "\(number)")
            } catch let error where !(error is CancellationError) {
                await Task.yield()
            }
        }
    }
}
