/// A session with pages, as a service has it.
final class PageSession {
    /// A controller and its screen.
    final class OpenPage {
        let name: String
        fileprivate let make: () -> any BusinessLogicController
        fileprivate(set) var logic: any BusinessLogicController
        fileprivate(set) var screen: ResponseRecorder
        fileprivate var progress = UpdateProgress()

        fileprivate init(_ name: String, history: CommandHistory, make: @escaping () -> any BusinessLogicController) {
            self.name = name
            self.make = make
            logic = make()
            screen = ResponseRecorder(page: name, history: history)
            screen.eventable = logic
        }

        /// Continues in another process.
        fileprivate func restore(_ history: CommandHistory) throws {
            let restored = ResponseRecorder(page: name, history: history)
            restored.state = try decoded(from: "\(screen.state.stored)")
            logic = try logic.restored(by: make)
            screen = restored
            screen.eventable = logic
        }
    }

    let clock = ManualClock()
    let topics = Topics()
    let identity: StubIdentity
    let sourceLocation: SourceLocation
    let code = Shared<PendingCode?>(nil)
    let progress = Shared(LoginProgress())
    /// What the collaborators were asked to do.
    var calls: () -> [String] = { [] }
    /// What the controllers declare, and what the events have given of it: the controller, the event and the command.
    private(set) var declared: Set<String> = []
    private(set) var given: Set<String> = []
    private(set) var pages: [OpenPage] = []
    let isRestored: Bool
    let defaultPage: String?
    let history = CommandHistory(limit: 1 << 20)

    init(_ scenario: Scenario, as user: User?, isRestored: Bool) {
        identity = StubIdentity(ClientContext(user: user, address: IPAddress("203.0.113.7"), requestID: "r"))
        sourceLocation = scenario.sourceLocation
        defaultPage = scenario.page
        self.isRestored = isRestored
    }

    var commands: [Command] { history.kept.map(\.command) }

    var steps: LoginSteps { LoginSteps(progress: progress, clock: clock, identity: identity) }

    func request(_ accounts: any AccountManaging = NoAccounts()) -> CodeRequest {
        CodeRequest(code: code, accounts: accounts, clock: clock, identity: identity)
    }

    func open(_ pages: ScenarioGroup.Pages) {
        self.pages = pages.map { OpenPage($0.name, history: history, make: $0.make) }
        for page in self.pages {
            for row in page.logic.rows { declared.formUnion(row.gives.map { Self.name(of: $0, row, page) }) }
        }
    }

    static func name(of given: CommandDeclaration.Content, _ row: EventDeclaration, _ page: OpenPage) -> String {
        "\(type(of: page.logic)) \(row.event.name): \(given)"
    }

    /// What the controllers' events may give.
    var contents: [CommandDeclaration.Content] { pages.flatMap { $0.logic.rows.flatMap(\.gives) } }

    /// The messages that the controllers declare: the code, the parameters and the field.
    var messages: Set<String> {
        Set(
            contents.flatMap(\.messages).map { message in
                let parameters = message.parameters.map { "(\($0.name): \($0.value))" }.joined()
                return message.code + parameters + (message.field.map { "@" + $0 } ?? "")
            }
        )
    }

    /// The keys of the outputs that only the client may learn.
    var secretOutputs: Set<String> {
        Set(contents.compactMap { if case .render(let key, _, _, _, true) = $0 { key } else { nil } })
    }

    /// The state of the scenario's page.
    var state: String { get throws { try page(nil).logic.stateText } }

    func page(_ name: String?) throws -> OpenPage {
        try #require(name ?? defaultPage == nil ? pages.first : pages.first { $0.name == name ?? defaultPage })
    }

    func send(_ event: Event, _ values: Value.Object, on name: String?) async throws {
        let page = try page(name)
        page.progress.start(topics)
        let row = try #require(page.logic.rows.first { $0.event == event })
        try await run(row, values, on: page) { try await $0.dispatchEvent(event) }
    }

    /// Runs the updates that are due on each page.
    func runUpdates() async throws {
        for page in pages {
            let due = page.progress.due(of: page.logic, topics, at: clock.now)
            for index in due.indices {
                try await run(page.logic.rows[index], [:], on: page) { try await $0.handleEvent(at: index) {} }
            }
            page.progress.finish(due)
        }
    }

    func run(
        _ row: EventDeclaration,
        _ values: Value.Object,
        on page: OpenPage,
        handle: (any BusinessLogicController) async throws -> Void
    ) async throws {
        if isRestored { try page.restore(history) }
        let (start, logic) = (history.sequence, page.logic)
        let secrets = logic.rows.flatMap(\.reads).filter(\.isSecret).map(\.name)
        try await page.screen.runEvent(row, checksValues: true, with: values, dropping: secrets, identity: identity) {
            try await handle(logic)
        }
        #expect(page.screen.undeclared.map { $0.explanation(of: row) } == [], sourceLocation: sourceLocation)
        for entry in history.current(since: start) {
            for declaration in row.gives where declaration.allows(entry.command, checksValues: true) {
                given.insert(Self.name(of: declaration, row, page))
            }
        }
    }
}

extension BusinessLogicController {
    /// The declarations of the events and of the updates.
    fileprivate var rows: [EventDeclaration] { Self.events.rows.map(\.declaration) }

    /// Whether each event that reads fields has examples, and these fit the fields.
    var hasFittingExamples: Bool {
        Self.events.rows.allSatisfy { row in
            let reads = row.declaration.reads
            return row.examples().isEmpty == reads.isEmpty
                && row.examples().allSatisfy { example in
                    reads.map(\.name) == example.map(\.name)
                        && reads.allSatisfy { example[$0.name].map($0.accepts) ?? false }
                }
        }
    }

    fileprivate var stateText: String { get throws { try json(state) } }

    /// A new controller with the state of this one.
    fileprivate func restored(by make: () -> any BusinessLogicController) throws -> any BusinessLogicController {
        let other = try #require(make() as? Self)
        other.state = try throughJSON(state)
        return other
    }
}
