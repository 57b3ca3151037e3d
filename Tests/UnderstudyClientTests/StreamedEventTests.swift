/// Commands that arrive before their event has ended.
@Suite(.fiveMinutes) struct StreamedEventTests {
    let latch = Latch()

    // MARK: A service

    @Test func `alerts and navigation wait until the event has succeeded, with the commands after them`() async throws {
        let page = StagedController.page(
            [.render("a", 1), .alert(.hello), .render("b", 2), .goToPage("c"), .wait(latch), .fail(Self.overloaded)],
            [.render("a", 1), .alert(.hello), .render("b", 2), .goToPage("c")]
        )
        try await withService([page]) { transport in
            let screen = WatchedScreen(RemoteEventable("staged", in: RemoteSession(over: transport, attempts: 1)))
            screen.whenRendered = { [latch] in latch.open() }
            await #expect(throws: Self.overloaded) { try await screen.send("act") }
            #expect(screen.commands == [.render("a", 1), .render("a", .null)])
            try await screen.send("act")
            #expect(
                screen.commands.dropFirst(2) == [.render("a", 1), .showAlert(.hello), .render("b", 2), .goToPage("c")]
            )
        }
    }

    @Test func `after a problem, the screen shows the page's values again`() async throws {
        let page = StagedController.page(
            [.render("a", 1), .render("b", 1)],
            [.render("a", 2), .render("c", 3), .wait(latch), .fail(Self.overloaded)],
            [.render("c", 4)]
        )
        try await withService([page]) { transport in
            let screen = WatchedScreen(RemoteEventable("staged", in: RemoteSession(over: transport, attempts: 1)))
            try await screen.send("act")
            screen.whenRendered = { [latch] in latch.open() }
            await #expect(throws: Self.overloaded) { try await screen.send("act") }
            #expect(screen.rendered == ["a": 1, "b": 1, "c": .null])
            #expect(transport.targets.last == "GET /staged")
            try await screen.send("act")
            #expect(screen.rendered == ["a": 1, "b": 1, "c": 4])
            #expect(transport.targets.last == "POST /staged")
        }
    }

    static let overloaded = CollaboratorError.overloaded(retryAfter: .seconds(1))

    @Test func `a stream that breaks off is continued, and no command arrives twice`() async throws {
        let page = StagedController.page([.render("a", 1), .wait(latch), .render("b", 2)])
        try await withService([page]) { transport in
            let screen = WatchedScreen(RemoteEventable("staged", in: RemoteSession(over: transport)))
            screen.whenRendered = { [latch] in latch.open() }
            transport.lose(.rest)
            try await screen.send("act")
            #expect(screen.commands == [.render("a", 1), .render("b", 2)])
            let posts = transport.requests.value.filter { $0.target == "/staged" && $0.method == "POST" }
            #expect(posts.map { $0.headers["Last-Event-ID"] } == [nil, "1"])
            #expect(Set(posts.map { $0.headers["Idempotency-Key"] }).count == 1)
            #expect(latch.arrivals.count == 1)
        }
    }

    @MainActor @Test func `a cancelled event ends, and the next one corrects the screen`() async throws {
        let page = StagedController.page([.render("a", 1), .wait(latch), .fail(Self.overloaded)], [.render("b", 2)])
        try await withService([page]) { transport in
            let screen = WatchedScreen(RemoteEventable("staged", in: RemoteSession(over: transport)))
            let task = LockedValue<Task<Void, any Error>?>(nil)
            screen.whenRendered = { task.value?.cancel() }
            let event = Task { try await screen.send("act") }
            task.value = event
            await #expect(throws: CancellationError.self) { try await event.value }
            #expect(screen.commands == [.render("a", 1)])
            latch.open()
            try await screen.send("act")
            #expect(screen.rendered == ["a": .null, "b": 2])
        }
    }

    // MARK: Streams with other content

    static let first = rendering("a", 1, sequence: 1)
    let command = Self.commandEvent(1, Self.first)

    static func commandEvent(_ id: Int, _ data: String) -> String { "event: command\nid: \(id)\ndata: \(data)\n\n" }

    static func rendering(_ key: String, _ value: Int, sequence: Int) -> String {
        #"{"sequence":\#(sequence),"page":"login","command":"render","key":"\#(key)","value":\#(value)}"#
    }

    func answer(_ sequence: Int, _ commands: String...) -> String {
        let list = commands.joined(separator: ",")
        return "event: answer\ndata: {\"sequence\":\(sequence),\"ok\":true,\"commands\":[\(list)]}\n\n"
    }

    /// Sends an event to a page whose responses are these, after that of `GET /login` and that with the token.
    func send(
        attempts: Int = 1,
        _ responses: RemoteResponse...
    ) async throws -> (screen: ResponseRecorder, transport: StubTransport) {
        let transport = StubTransport(all: [.page, .token] + responses)
        let session = RemoteSession(transport, retries: .recording(in: LockedValue([]), attempts: attempts))
        let screen = screen("login", in: session)
        try await screen.dispatchEvent("pressed")
        return (screen, transport)
    }

    static func shown(_ rendered: String) -> RemoteResponse {
        RemoteResponse(200, #"{"page":"login","sequence":0,"rendered":\#(rendered),"events":[]}"#)
    }

    @Test func `if the event runs again, commands that do not count are undone`() async throws {
        let other = Self.rendering("b", 2, sequence: 1)
        let text = command + "event: restart\ndata: {}\n\n" + Self.commandEvent(1, other) + answer(1, other)
        let (screen, transport) = try await send(.events(text), Self.shown(#"{"b":2}"#))
        #expect(screen.rendered == ["a": .null, "b": 2])
        #expect(transport.requests.value.map(\.method) == ["GET", "POST", "POST", "GET"])
    }

    @Test func `if the event runs again with the same result, the screen needs no correction`() async throws {
        let text = command + "event: restart\ndata: {}\n\n" + command + answer(1, Self.first)
        let (screen, transport) = try await send(.events(text))
        #expect(screen.commands == [.render("a", 1)])
        #expect(transport.requests.value.count == 3)
    }

    @Test func `commands after a gap wait for the answer and the history`() async throws {
        let list = (1...3).map { Self.rendering("abc".map(String.init)[$0 - 1], $0, sequence: $0) }
        let history = RemoteResponse(200, #"{"sequence":3,"commands":[\#(list.joined(separator: ","))]}"#)
        let (screen, transport) = try await send(.events(Self.commandEvent(3, list[2]) + answer(3, list[2])), history)
        #expect(screen.commands == [.render("a", 1), .render("b", 2), .render("c", 3)])
        #expect(transport.requests.value.last?.target == "/session/history?since=0")
    }

    @Test func `unknown events, comments and commands are ignored`() async throws {
        let unknown = #"{"sequence":2,"page":"login","command":"vibrate"}"#
        let text =
            ":\n\nevent: weather\ndata: sun\n\n" + command + Self.commandEvent(2, unknown)
            + answer(2, Self.first, unknown)
        let (screen, transport) = try await send(.events(text))
        #expect(screen.commands == [.render("a", 1)])
        #expect(transport.requests.value.last?.headers["Accept"]?.hasPrefix("text/event-stream") == true)
    }

    @Test func `a problem is retried like a response, without the ID of an undone command`() async throws {
        let problem = #"{"status":503,"code":"overloaded"}"#
        let (screen, transport) = try await send(
            attempts: 2,
            .events(command + "event: problem\nretry: 1000\ndata: \(problem)\n\n"),
            .events(command + answer(1, Self.first))
        )
        #expect(screen.commands == [.render("a", 1)])
        #expect(transport.requests.value.compactMap { $0.headers["Last-Event-ID"] } == [])
    }

    @Test func `a stream without an answer counts as lost`() async throws {
        for text in [command, Self.commandEvent(1, "{")] {
            await #expect(throws: RemoteError.self) { try await send(.events(text), Self.shown("{}")) }
        }
    }
}

/// A screen that reports to its test when it renders.
private final class WatchedScreen: Controllable {
    var eventable: (any Eventable)?
    var whenRendered: () -> Void = {}
    private(set) var commands: [Command] = []
    private(set) var rendered: Value.Object = [:]

    init(_ eventable: any Eventable) {
        self.eventable = eventable
        eventable.controllable = self
    }

    func send(_ event: Event) async throws { try await eventable?.dispatchEvent(event) }

    func render(_ key: String, _ value: Value) {
        commands.append(.render(key, value))
        rendered[key] = value
        whenRendered()
    }

    func getValue(_ key: String) -> Value? { nil }

    func showAlert(_ message: Message) { commands.append(.showAlert(message)) }

    func goToPage(_ name: String, _ values: Value.Object) { commands.append(.goToPage(name, values)) }
}

extension Message {
    fileprivate static let hello = Message(code: "staged.hello", text: "Hello")
}
