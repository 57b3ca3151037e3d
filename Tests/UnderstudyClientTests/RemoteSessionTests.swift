struct RemoteSessionTests {
    let wrong = Command.render("message", .wrongCredentials)

    /// Two screens of a session.
    func withScreens(
        _ body: (LossyTransport, RemoteSession, _ counter: ResponseRecorder, _ login: ResponseRecorder) async throws ->
            Void
    ) async throws {
        try await withService(Page.demo() + [CountingController.page]) { transport in
            let session = RemoteSession(over: transport)
            try await body(transport, session, screen("counter", in: session), screen("login", in: session))
        }
    }

    @Test(arguments: [LossyTransport.Loss.request, .response])
    func `a lost request or response costs no login attempt and repeats no command`(loss: LossyTransport.Loss)
        async throws
    {
        try await withService(Page.demo()) { transport in
            let screen = screen("login", in: RemoteSession(over: transport))
            for _ in 1...5 {
                transport.lose(loss, loss)
                try await screen.login(password: "joker")
            }
            #expect(screen.commands == [wrong].repeated(5))
            transport.lose(loss)
            try await screen.login(password: "bruce")
            #expect(screen.commands == [wrong].repeated(5) + [.showAlert(.tooManyLoginAttempts)])
            #expect(transport.delays.value.prefix(3) == [.milliseconds(250), .milliseconds(500), .milliseconds(250)])
        }
    }

    @Test func `the commands of a lost response arrive with the next event`() async throws {
        try await withService(Page.demo()) { transport in
            let screen = screen("login", in: RemoteSession(over: transport, attempts: 2))
            try await screen.login(password: "joker")
            transport.lose(.response, .response)
            let error = await #expect(throws: RemoteError.self) { try await screen.login(password: "joker") }
            guard case .transport(let cause as URLError) = error else { throw Outage() }
            #expect(cause.code == .networkConnectionLost)
            #expect(screen.commands == [wrong])
            try await screen.login(password: "bruce")
            #expect(screen.commands == [wrong, wrong, .goToPage("Home")])
            #expect(transport.targets.last == "GET /session/history?since=1")
        }
    }

    @Test func `missing commands are delivered to their pages once`() async throws {
        try await withScreens { transport, session, counter, login in
            try await counter.send("count")
            let token = await session.state?.token
            try await transport.post("counter", #"{"event":"count"}"#, token: token)
            try await transport.post("login", #"{"username":"batman","password":"joker"}"#, token: token)
            try await login.login(password: "joker")
            #expect(login.commands == [wrong, wrong])
            #expect(counter.commands == [.render("count", 1)])
            try await counter.send("count")
            #expect(counter.commands == [.render("count", 1), .render("count", 2), .render("count", 3)])
            #expect(transport.targets.filter { $0.contains("history") } == ["GET /session/history?since=1"])
            #expect(await session.state?.sequence == 5)
        }
    }

    @Test func `commands from before a screen's first event are ignored`() async throws {
        try await withScreens { transport, session, counter, login in
            try await login.login(password: "joker")
            try await transport.post("counter", #"{"event":"count"}"#, token: await session.state?.token)
            try await login.login(password: "joker")
            try await counter.send("count")
            #expect(counter.commands == [.render("count", 2)])
        }
    }

    @Test func `screens are rendered again if the history is too short`() async throws {
        try await withScreens { transport, session, counter, login in
            try await counter.send("count")
            try await login.login(password: "joker")
            try await transport.post("counter", #"{"event":"chatter"}"#, token: await session.state?.token)
            try await login.login(password: "joker")
            #expect(login.commands == [wrong, wrong, wrong])
            try await counter.send("count")
            #expect(counter.rendered == ["count": 2, "number": 300])
            try await counter.send("count")
            #expect(counter.commands.last == .render("count", 3))
            #expect(transport.targets.count { $0.contains("history") } == 1)
        }
    }

    @Test(arguments: [false, true])
    func `a login changes the token, and the session goes on, also if the response must be repeated`(isLost: Bool)
        async throws
    {
        try await withScreens { transport, session, counter, login in
            try await counter.send("count")
            let before = await session.state
            if isLost { transport.lose(.response) }
            try await login.login(password: "bruce")
            #expect(login.commands == [.goToPage("Home")])
            let after = await session.state
            #expect(before?.token != after?.token)
            #expect(after?.sequence == 2)
            try await counter.send("count")
            #expect(counter.commands == [.render("count", 1), .render("count", 2)])
            #expect(transport.targets.count { $0 == "POST /session" } == 1)
        }
    }

    @Test func `an expired session is replaced by another one`() async throws {
        try await withService([CountingController.page]) { transport in
            let stale = RemoteSession(over: transport)
            try await screen("counter", in: stale).send("count")
            let state = await stale.state
            let session = RemoteSession(over: transport, resuming: state)
            try await stale.end()
            #expect(await stale.state == nil)
            let screen = screen("counter", in: session)
            try await screen.send("count")
            #expect(screen.commands == [.render("count", 1)])
            #expect(await session.state?.sequence == 1)
        }
    }

    @Test func `a saved session is resumed`() async throws {
        try await withService([CountingController.page]) { transport in
            let first = RemoteSession(over: transport)
            try await screen("counter", in: first).send("count")
            let kept = try JSONEncoder().encode(await first.state)
            let session = RemoteSession(
                over: transport,
                resuming: try JSONDecoder().decode(RemoteSession.State.self, from: kept)
            )
            let screen = screen("counter", in: session)
            try await screen.send("count")
            #expect(screen.commands == [.render("count", 2)])
        }
    }

    @Test func `simultaneous events are handled one at a time`() async throws {
        try await withService([CountingController.page]) { transport in
            let session = RemoteSession(over: transport)
            let commands = try await concurrently(8) { _ in
                let screen = screen("counter", in: session)
                try await screen.send("count")
                return screen.commands
            }
            #expect(commands.count == 8)
            for count in 1...8 { #expect(commands.contains([.render("count", Value(count))])) }
            #expect(transport.targets.count { $0 == "POST /session" } == 1)
            #expect(!transport.targets.contains { $0.contains("history") })
        }
    }

    @Test func `cancelling the task cancels the request and releases the session`() async throws {
        let (started, hasStarted) = AsyncStream<Void>.makeStream()
        let silent = Page("silent") { _ in
            ActingController { _ in
                hasStarted.yield()
                for await _ in AsyncStream<Never>.makeStream().stream {}
            }
        }
        try await withService([silent, CountingController.page]) { transport in
            let session = RemoteSession(over: transport)
            let waiting = Task { try await screen("silent", in: session).send("act") }
            var starts = started.makeAsyncIterator()
            await starts.next()
            let queued = Task { try await screen("counter", in: session).send("count") }
            queued.cancel()
            await #expect(throws: CancellationError.self) { try await queued.value }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            // The service still handles the cancelled event of the first session, so that only another session is free.
            let counter = screen("counter", in: RemoteSession(over: transport))
            try await counter.send("count")
            #expect(counter.commands == [.render("count", 1)])
        }
    }

    @Test func `cancelling the task ends the delay before the next attempt`() async throws {
        let (started, hasStarted) = AsyncStream<Void>.makeStream()
        var retries = RetryPolicy()
        retries.sleep = { _ in
            hasStarted.yield()
            for await _ in AsyncStream<Never>.makeStream().stream {}
            try Task.checkCancellation()
        }
        let session = RemoteSession(StubTransport(), retries: retries)
        let waiting = Task { try await screen("login", in: session).send("pressed") }
        var starts = started.makeAsyncIterator()
        await starts.next()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
