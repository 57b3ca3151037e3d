import BundledControllers
import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@Suite struct LoginScenarios {
    private let clock = ManualClock()

    private func page(_ credentials: any CredentialChecking = FixedCredentials(["batman": "bruce"])) -> Page {
        Page("login") { [clock] in
            LoginBusinessLogicController(credentials: credentials, clock: clock, identity: $0.identity)
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `right credentials lead Home, wrong ones render a message`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(page()) { screen in
            try await screen.send("loginButtonPressed", ["username": "batman", "password": "joker"])
            screen.expect(.render("message", .wrongCredentials))
            try await screen.send("loginButtonPressed", ["password": "bruce"])
            screen.expect(.goToPage("Home"))
            #expect(screen.rendered == ["message": "Wrong username or password"])
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `after five failures an alert is shown for a quarter of an hour`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(page()) { screen in
            for _ in 1...5 {
                try await screen.send("loginButtonPressed", ["username": "batman", "password": "joker"])
                screen.expect(.render("message", .wrongCredentials))
            }
            clock.advance(by: .seconds(15 * 60) - .milliseconds(1))
            for password: Value in ["joker", "bruce"] {
                try await screen.send("loginButtonPressed", ["password": password])
                screen.expect(.showAlert(.tooManyLoginAttempts))
            }
            clock.advance(by: .milliseconds(1))
            try await screen.send("loginButtonPressed", ["password": "bruce"])
            screen.expect(.goToPage("Home"))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `success sets the count of failures back`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(page()) { screen in
            for password: Value in ["a", "b", "c", "d", "bruce", "e", "f", "g", "h", "bruce"] {
                try await screen.send("loginButtonPressed", ["username": "batman", "password": password])
                screen.expect(password == "bruce" ? .goToPage("Home") : .render("message", .wrongCredentials))
            }
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `what is refused spends no attempt, and a password is forgotten`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(page()) { screen in
            let fields = ["username", "password"]
            await #expect(throws: EventError.missingField("username", fields: fields)) {
                try await screen.send("loginButtonPressed")
            }
            await #expect(throws: EventError.wrongFieldType("username", expected: .string, fields: fields)) {
                try await screen.send("loginButtonPressed", ["username": 1, "password": "bruce"])
            }
            await #expect(throws: EventError.unknownEvent("login", events: ["loginButtonPressed"])) {
                try await screen.send("login")
            }
            for _ in 1...4 {
                try await screen.send("loginButtonPressed", ["username": "batman", "password": "joker"])
                screen.expect(.render("message", .wrongCredentials))
                await #expect(throws: EventError.missingField("password", fields: fields)) {
                    try await screen.send("loginButtonPressed")
                }
            }
            #expect(screen.values == ["username": "batman"])
            try await screen.send("loginButtonPressed", ["password": "bruce"])
            screen.expect(.goToPage("Home"))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `an attempt that cannot be judged now is not spent`(rehearsal: Rehearsal) async throws {
        let credentials = StubCredentials { username, password, _ in
            if password == "later" { throw CollaboratorError.unavailable(retryAfter: .seconds(5)) }
            return password == "bruce" ? User(username: username) : nil
        }
        try await rehearsal.run(page(credentials)) { screen in
            for _ in 1...6 {
                await #expect(throws: CollaboratorError.unavailable(retryAfter: .seconds(5))) {
                    try await screen.send("loginButtonPressed", ["username": "batman", "password": "later"])
                }
            }
            try await screen.send("loginButtonPressed", ["username": "batman", "password": "bruce"])
            screen.expect(.goToPage("Home"))
        }
    }
}
