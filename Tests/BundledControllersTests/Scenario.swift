/// What a person does on the pages of a session, and everything that follows.
struct Scenario: CustomTestStringConvertible, Sendable {
    /// An event, or what happens between two events.
    struct Step: Sendable {
        let run: @Sendable (PageSession) async throws -> Void

        /// Fills in fields, and sends an event that reads them.
        ///
        /// - Parameter page: the page; `nil` for that of the scenario.
        static func send(_ event: Event, _ values: Value.Object = [:], on page: String? = nil, times: Int = 1) -> Step {
            Step { session in for _ in 0..<times { try await session.send(event, values, on: page) } }
        }

        /// A step that throws, and changes nothing.
        static func failing(_ error: some Error & Equatable, _ step: Step) -> Step {
            Step { session in
                await #expect(throws: error, sourceLocation: session.sourceLocation) { try await step.run(session) }
            }
        }

        static func wait(_ duration: Duration, runsUpdates: Bool = true) -> Step {
            Step { session in
                session.clock.advance(by: duration)
                if runsUpdates { try await session.runUpdates() }
            }
        }

        static func publish(_ topic: Topic) -> Step {
            Step { session in
                session.topics.publish(topic)
                try await session.runUpdates()
            }
        }

        /// Logs a user in, or out, on another page.
        static func user(_ user: User?) -> Step { Step { $0.identity.user = user } }

        /// Expects the state of the page's controller.
        static func state(_ json: String) -> Step {
            Step { session in
                let state = try session.state
                #expect(state == json, sourceLocation: session.sourceLocation)
            }
        }

        static func expect(_ condition: @escaping @Sendable (PageSession) -> Bool) -> Step {
            Step { #expect(condition($0), sourceLocation: $0.sourceLocation) }
        }
    }

    let testDescription: String
    let page: String?
    let user: User?
    let isGuest: Bool
    let steps: [Step]
    let commands: [Command]
    let calls: [String]
    let newUser: User?
    let logsOut: Bool
    let sourceLocation: SourceLocation

    /// - Parameters:
    ///   - page: the page of the steps that name none; `nil` for the first one.
    ///   - user: the user who is logged in at the beginning, if it is not that of the group.
    ///   - isGuest: whether no user is logged in at the beginning.
    ///   - commands: all commands of all pages, in order.
    ///   - calls: what the collaborators of the pages were asked to do, in order.
    ///   - newUser: the user who is logged in at the end, if it is another one.
    ///   - logsOut: whether no user is logged in at the end.
    init(
        _ testDescription: String,
        on page: String? = nil,
        as user: User? = nil,
        isGuest: Bool = false,
        _ steps: [Step],
        gives commands: [Command],
        calls: [String] = [],
        logsIn newUser: User? = nil,
        logsOut: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self.testDescription = testDescription
        self.page = page
        (self.user, self.isGuest) = (user, isGuest)
        self.steps = steps
        self.commands = commands
        self.calls = calls
        (self.newUser, self.logsOut) = (newUser, logsOut)
        self.sourceLocation = sourceLocation
    }
}

/// Scenarios on the same pages.
struct ScenarioGroup: CustomTestStringConvertible, Sendable {
    typealias Pages = [(name: String, make: () -> any BusinessLogicController)]

    /// A page, and what makes its controller.
    static func page(_ name: String, make: @escaping () -> any BusinessLogicController) -> Pages.Element {
        (name, make)
    }

    let testDescription: String
    /// The user who is logged in at the beginning of scenarios that name no other one.
    let user: User?
    let scenarios: [Scenario]
    /// Creates the collaborators of a session, and returns what makes the controllers with them.
    let pages: @Sendable (PageSession) -> Pages

    init(
        _ testDescription: String,
        as user: User? = nil,
        _ scenarios: [Scenario],
        pages: @escaping @Sendable (PageSession) -> Pages
    ) {
        self.testDescription = testDescription
        self.user = user
        self.scenarios = scenarios
        self.pages = pages
    }

    /// Runs a scenario, and expects its commands, calls and last user.
    ///
    /// - Parameter isRestored: before every event, all state is encoded as JSON and restored in new objects, as in another process.
    func run(_ scenario: Scenario, isRestored: Bool = false) async throws -> PageSession {
        let user = scenario.isGuest ? nil : scenario.user ?? user
        let session = PageSession(scenario, as: user, isRestored: isRestored)
        session.open(pages(session))
        for step in scenario.steps { try await step.run(session) }
        let commands = session.commands
        #expect(commands == scenario.commands, sourceLocation: scenario.sourceLocation)
        // Equal messages may be about different fields.
        let fields = [commands, scenario.commands].map { $0.map(\.message?.field) }
        #expect(fields[0] == fields[1], sourceLocation: scenario.sourceLocation)
        #expect(session.calls() == scenario.calls, sourceLocation: scenario.sourceLocation)
        let lastUser = scenario.logsOut ? nil : scenario.newUser ?? user
        #expect(session.identity.user == lastUser, sourceLocation: scenario.sourceLocation)
        return session
    }
}
