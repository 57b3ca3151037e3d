import BundledControllers
import BundledPages
import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@Suite struct UnderstudyTestingSamples {
    private typealias GuestbookController = BusinessLogicSamples.GuestbookController

    private let credentials = FixedCredentials(["batman": "bruce"])
    private let clock = ManualClock()

    @Test(arguments: Rehearsal.allCases)
    func `only guests with a name are counted`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(Page("guestbook") { _ in GuestbookController() }) { screen in
            try await screen.send("signButtonPressed", ["name": "Lisa"])
            screen.expect(GuestbookController.greeting, "Welcome Lisa, you are guest 1")
            try await screen.send("signButtonPressed", ["name": ""])
            screen.expect(.showAlert(.noName))
            try await screen.send("signButtonPressed", ["name": "Homer"])
            screen.expect(GuestbookController.greeting, "Welcome Homer, you are guest 2")
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `the correct password leads to Home`(rehearsal: Rehearsal) async throws {
        let page = Page("login") {
            LoginBusinessLogicController(
                credentials: $0.recorded(credentials),
                clock: $0.recorded(clock),
                identity: $0.identity
            )
        }
        try await rehearsal.run(page) { screen in
            try await screen.send("loginButtonPressed", ["username": "batman", "password": "bruce"])
            screen.expect(.goToPage("Home"))
        }
    }

    @Test func `a screen for tests expects commands`() async throws {
        let screen = TestControllable(LoginBusinessLogicController(credentials: credentials, clock: clock))
        try await screen.send("loginButtonPressed", ["username": "batman", "password": "bruce"])
        screen.expect(.goToPage("Home"))
    }
}
