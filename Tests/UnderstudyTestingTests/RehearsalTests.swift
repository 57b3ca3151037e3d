/// Products that a closure returns.
private struct StubRepository: Repository {
    let products: @Sendable () async throws -> [Product]

    func get() async throws -> [Product] { try await products() }
}

struct RehearsalTests {
    @Test(
        arguments: Rehearsal.allCases,
        [([Command.render("title", "Product")], "+   [1]: .showAlert("), ([], "There are unexpected commands.")]
    )
    func `commands that a scenario does not expect fail in every mode`(
        rehearsal: Rehearsal,
        scenario: (expected: [Command], failure: String)
    ) async throws {
        let page = Page("product") { _ in ProductDetailPresenter(repository: StubRepository { [] }) }
        try await withKnownIssue {
            try await rehearsal.run(page) { screen in
                try await screen.send("onStart", ["product": "Car"])
                if let command = scenario.expected.first { screen.expect(command) }
            }
        } matching: {
            $0.comments.first?.rawValue.contains(scenario.failure) == true
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `an error of a scenario is thrown to the caller`(rehearsal: Rehearsal) async {
        await #expect(throws: CancellationError.self) {
            try await rehearsal.run(Page.demo()) { _ in throw CancellationError() }
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `an event that fails gives no commands`(rehearsal: Rehearsal) async throws {
        let error = CollaboratorError.overloaded(retryAfter: .seconds(3))
        try await rehearsal.run(FailingController.page(error)) { screen in
            for _ in 1...2 {
                await #expect(throws: error) { try await screen.send("fail") }
                screen.expect()
                #expect(screen.rendered == [:])
            }
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `each scenario has a new session`(rehearsal: Rehearsal) async throws {
        let page = Page("email") { _ in EmailBusinessLogicController() }
        for _ in 1...2 {
            try await rehearsal.run(page) {
                try await $0.send("emailChanged", ["email": "lisa@rules.com"])
                $0.expect(.render("saveButtonEnabled", true))
            }
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `the timer of a locked login shows that the user may log in again`(rehearsal: Rehearsal) async throws {
        let clock = ManualClock()
        try await rehearsal.run(Page.bundled(clock: clock), clock: clock) { screens in
            for _ in 1...5 {
                try await screens["login"].send("loginButtonPressed", ["username": "batman", "password": "robin"])
                screens["login"].expect(.render("message", .wrongCredentials))
            }
            try await screens.advance(by: .seconds(900))
            screens["login"].expect(.render("message", .loginAllowed))
        }
    }

    @Test func `a page whose collaborator is not recorded fails in its replay, where the scenario is`() async throws {
        let line = #line + 8
        let calls = LockedValue(0)
        let repository = StubRepository {
            calls.change { $0 += 1 }
            return calls.change { $0 } == 1 ? [] : [Product(name: "Car", description: "", image: "car")]
        }
        let page = Page("product") { _ in ProductDetailPresenter(repository: repository) }
        try await withKnownIssue {
            try await Rehearsal.replayed.run(page) { screen in
                screen.exhaustivity = .off
                try await screen.send("onStart", ["product": "Car"])
            }
        } matching: {
            $0.comments.first?.rawValue.hasPrefix(
                "In the replay of the recorded session, event 1 (onStart) of page product, command 2\n  recorded: "
            ) == true && $0.sourceLocation?.line == line
        }
    }

    @Test func `a page that examines a secret itself fails in its replay`() async throws {
        let page = Page("login") { _ in
            LoginBusinessLogicController(credentials: FixedCredentials(["batman": "bruce"]), clock: ManualClock())
        }
        try await withKnownIssue {
            try await Rehearsal.replayed.run(page) { screen in
                try await screen.send("loginButtonPressed", ["username": "batman", "password": "bruce"])
                screen.expect(.goToPage("Home"))
            }
        } matching: {
            $0.comments.first?.rawValue.hasSuffix("the value of 'password', which the recording does not contain")
                == true
        }
    }
}
