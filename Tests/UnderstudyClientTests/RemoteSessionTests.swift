import BundledControllers
import BundledPages
import BusinessLogic
import Foundation
import Testing
import Understudy
import UnderstudyClient
import UnderstudyTesting

@Suite struct RemoteSessionTests {
    private let wrong = Command.render("message", .wrongCredentials)

    @Test(arguments: [Wire.Loss.request, .answer])
    func `what gets lost burns no login attempt, and shows nothing twice`(loss: Wire.Loss) async throws {
        try await withService(Page.demo()) { wire in
            let screen = screen("login", in: RemoteSession(over: wire))
            for _ in 1...5 {
                wire.lose(loss, loss)
                try await screen.login(password: "joker")
            }
            #expect(screen.commands == Array(repeating: wrong, count: 5))
            wire.lose(loss)
            try await screen.login(password: "bruce")
            #expect(screen.commands == Array(repeating: wrong, count: 5) + [.showAlert(.tooManyLoginAttempts)])
            #expect(wire.waits.value.prefix(3) == [.milliseconds(250), .milliseconds(500), .milliseconds(250)])
        }
    }

    @Test func `each event has a key of its own, which its attempts share`() async throws {
        try await withService(Page.demo()) { wire in
            let screen = screen("login", in: RemoteSession(over: wire))
            wire.lose(.answer)
            try await screen.login(password: "joker")
            try await screen.login(password: "joker")
            let keys = wire.requests.value.compactMap { $0.headers["Idempotency-Key"] }
            #expect(keys.count == 3)
            #expect(Set(keys).count == 2)
            #expect(keys[0] == keys[1])
        }
    }

    @Test func `where no answer comes at all its commands come with the next event's`() async throws {
        try await withService(Page.demo()) { wire in
            let screen = screen("login", in: RemoteSession(over: wire, attempts: 2))
            try await screen.login(password: "joker")
            wire.lose(.answer, .answer)
            let error = await #expect(throws: RemoteError.self) { try await screen.login(password: "joker") }
            guard case .transport(let cause as URLError) = error else { throw Outage() }
            #expect(cause.code == .networkConnectionLost)
            #expect(screen.commands == [wrong])
            try await screen.login(password: "bruce")
            #expect(screen.commands == [wrong, wrong, .goToPage("Home")])
            #expect(wire.targets.last == "GET /session/history?since=1")
        }
    }

    @Test func `a gap is filled on each page with its own commands, and once`() async throws {
        try await withService(Page.demo() + [CountingController.page]) { wire in
            let session = RemoteSession(over: wire)
            let (counter, login) = (screen("counter", in: session), screen("login", in: session))
            try await counter.send("count")
            let token = await session.state?.token
            try await wire.post("counter", #"{"event":"count"}"#, token: token)
            try await wire.post("login", #"{"username":"batman","password":"joker"}"#, token: token)
            try await login.login(password: "joker")
            #expect(login.commands == [wrong, wrong])
            #expect(counter.commands == [.render("count", 1)])
            try await counter.send("count")
            #expect(counter.commands == [.render("count", 1), .render("count", 2), .render("count", 3)])
            #expect(wire.targets.filter { $0.contains("history") } == ["GET /session/history?since=1"])
            #expect(await session.state?.sequence == 5)
        }
    }

    @Test func `what a page gave before it was used here is not shown on its screen`() async throws {
        try await withService(Page.demo() + [CountingController.page]) { wire in
            let session = RemoteSession(over: wire)
            let (counter, login) = (screen("counter", in: session), screen("login", in: session))
            try await login.login(password: "joker")
            try await wire.post("counter", #"{"event":"count"}"#, token: await session.state?.token)
            try await login.login(password: "joker")
            try await counter.send("count")
            #expect(counter.commands == [.render("count", 2)])
        }
    }

    @Test func `pages that take turns leave no gap`() async throws {
        try await withService(Page.demo() + [CountingController.page]) { wire in
            let session = RemoteSession(over: wire)
            let (counter, login) = (screen("counter", in: session), screen("login", in: session))
            for _ in 1...2 {
                try await counter.send("count")
                try await login.login(password: "joker")
            }
            #expect(counter.commands == [.render("count", 1), .render("count", 2)])
            #expect(login.commands == [wrong, wrong])
            #expect(!wire.targets.contains { $0.contains("history") })
        }
    }

    @Test func `where the history does not go back that far the screens are painted anew`() async throws {
        try await withService(Page.demo() + [CountingController.page]) { wire in
            let session = RemoteSession(over: wire)
            let (counter, login) = (screen("counter", in: session), screen("login", in: session))
            try await counter.send("count")
            try await login.login(password: "joker")
            try await wire.post("counter", #"{"event":"chatter"}"#, token: await session.state?.token)
            try await login.login(password: "joker")
            #expect(login.commands == [wrong, .render("message", .string(Message.wrongCredentials.text)), wrong])
            try await counter.send("count")
            #expect(counter.rendered == ["count": 2, "number": 300])
            try await counter.send("count")
            #expect(counter.commands.last == .render("count", 3))
            #expect(wire.targets.filter { $0.contains("history") }.count == 1)
        }
    }

    @Test func `an event that fails gives no commands`() async throws {
        try await withService([CountingController.page]) { wire in
            let session = RemoteSession(over: wire)
            let counter = screen("counter", in: session)
            await #expect(throws: CollaboratorError.overloaded(retryAfter: .seconds(1))) {
                try await counter.send("chatterAndFail")
            }
            #expect(counter.commands == [])
            #expect(await session.state?.sequence == 0)
            try await counter.send("count")
            #expect(counter.commands == [.render("count", 1)])
        }
    }

    @Test func `a login changes the token, and the session goes on`() async throws {
        try await withService(Page.demo() + [CountingController.page]) { wire in
            let session = RemoteSession(over: wire)
            let (counter, login) = (screen("counter", in: session), screen("login", in: session))
            try await counter.send("count")
            let before = await session.state
            try await login.login(password: "bruce")
            let after = await session.state
            #expect(before?.token != after?.token)
            #expect(after?.sequence == 2)
            try await counter.send("count")
            #expect(counter.commands == [.render("count", 1), .render("count", 2)])
            #expect(wire.targets.filter { $0 == "POST /session" }.count == 1)
        }
    }

    @Test func `a login whose answer is lost gets it when it is sent again, in the same session`() async throws {
        try await withService(Page.demo() + [CountingController.page]) { wire in
            let session = RemoteSession(over: wire)
            let (counter, login) = (screen("counter", in: session), screen("login", in: session))
            try await counter.send("count")
            wire.lose(.answer)
            try await login.login(password: "bruce")
            #expect(login.commands == [.goToPage("Home")])
            try await counter.send("count")
            #expect(counter.commands == [.render("count", 1), .render("count", 2)])
            #expect(wire.targets.filter { $0 == "POST /session" }.count == 1)
        }
    }

    @Test func `a login whose answer never came is asked for again by the next event`() async throws {
        try await withService(Page.demo() + [CountingController.page]) { wire in
            let session = RemoteSession(over: wire)
            let (counter, login) = (screen("counter", in: session), screen("login", in: session))
            try await counter.send("count")
            wire.lose(.answer, .answer, .answer, .answer)
            await #expect(throws: RemoteError.self) { try await login.login(password: "bruce") }
            try await counter.send("count")
            #expect(counter.commands == [.render("count", 1), .render("count", 2)])
            #expect(await session.state?.sequence == 3)
            #expect(wire.targets.filter { $0 == "POST /session" }.count == 1)
        }
    }

    @Test func `where the service knows the session no more another one starts`() async throws {
        try await withService([CountingController.page]) { wire in
            let stale = RemoteSession(over: wire)
            try await screen("counter", in: stale).send("count")
            let state = await stale.state
            let session = RemoteSession(over: wire, resuming: state)
            try await stale.end()
            #expect(await stale.state == nil)
            let screen = screen("counter", in: session)
            try await screen.send("count")
            #expect(screen.commands == [.render("count", 1)])
            #expect(await session.state?.sequence == 1)
        }
    }

    @Test func `a session that was kept goes on where it was`() async throws {
        try await withService([CountingController.page]) { wire in
            let first = RemoteSession(over: wire)
            try await screen("counter", in: first).send("count")
            let kept = try JSONEncoder().encode(await first.state)
            let session = RemoteSession(
                over: wire,
                resuming: try JSONDecoder().decode(RemoteSession.State.self, from: kept)
            )
            let screen = screen("counter", in: session)
            try await screen.send("count")
            #expect(screen.commands == [.render("count", 2)])
        }
    }

    @Test func `events that are sent at once are handled one by one`() async throws {
        try await withService([CountingController.page]) { wire in
            let session = RemoteSession(over: wire)
            let counts = try await withThrowingTaskGroup(of: [Command].self) { group in
                for _ in 1...8 {
                    group.addTask {
                        let screen = screen("counter", in: session)
                        try await screen.send("count")
                        return screen.commands
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(counts.count == 8)
            for count in 1...8 { #expect(counts.contains(.render("count", Value(count)))) }
            #expect(wire.targets.filter { $0 == "POST /session" }.count == 1)
            #expect(!wire.targets.contains { $0.contains("history") })
        }
    }

    @Test func `cancelling the task ends the request, and lets the next event`() async throws {
        let (started, hasStarted) = AsyncStream<Void>.makeStream()
        let silent = Page("silent") { _ in SilentController(hasStarted: hasStarted) }
        try await withService([silent, CountingController.page]) { wire in
            let session = RemoteSession(over: wire)
            let waiting = Task { try await screen("silent", in: session).send("wait") }
            var starts = started.makeAsyncIterator()
            await starts.next()
            let queued = Task { try await screen("counter", in: session).send("count") }
            queued.cancel()
            await #expect(throws: CancellationError.self) { try await queued.value }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            // The session is busy still, with what was given up; another one is not.
            let counter = screen("counter", in: RemoteSession(over: wire))
            try await counter.send("count")
            #expect(counter.commands == [.render("count", 1)])
        }
    }

    @Test func `cancelling the task ends the wait for another attempt`() async throws {
        let (started, hasStarted) = AsyncStream<Void>.makeStream()
        var retries = RetryPolicy()
        retries.sleep = { _ in
            hasStarted.yield()
            try await Task.sleep(for: .seconds(600))
        }
        let session = RemoteSession(StubTransport(), retries: retries)
        let waiting = Task { try await screen("login", in: session).send("pressed") }
        var starts = started.makeAsyncIterator()
        await starts.next()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
