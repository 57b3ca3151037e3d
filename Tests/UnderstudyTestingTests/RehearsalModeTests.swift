import BundledControllers
import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

/// A controller that greets and counts guests.
private final class GuestbookController: BusinessLogicController {
    static let events: EventTable<GuestbookController> = [
        .default("signButtonPressed", reads: ["name"]) { $0.sign() },
        .event("rated", reads: [Field("stars", .number), Field("isPublic", .boolean)]) { controller in
            controller.controllable?.render("stars", controller.controllable?.getValue("stars") ?? .null)
        },
    ]

    weak var controllable: (any Controllable)?
    var state = 0

    private func sign() {
        guard let name = text("name"), !name.isEmpty else {
            controllable?.showAlert(.noName)
            return
        }
        state += 1
        controllable?.render("greeting", "Welcome \(name), you are guest \(state)")
    }
}

extension Message {
    fileprivate static let noName = Message(code: "guestbook.noName", text: "Please write your name")
}

@Suite struct RehearsalModeTests {
    private let page = Page("guestbook") { _ in GuestbookController() }

    @Test(arguments: Rehearsal.allCases)
    func `guests are counted, except those without a name`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(page) { screen in
            try await screen.send("signButtonPressed", ["name": "Lisa"])
            screen.expect(.render("greeting", "Welcome Lisa, you are guest 1"))
            try await screen.send("signButtonPressed", ["name": ""])
            screen.expect(.showAlert(.noName))
            try await screen.send("signButtonPressed", ["name": "Ho\"mer\u{1F600}\n"])
            screen.expect(.render("greeting", "Welcome Ho\"mer\u{1F600}\n, you are guest 2"))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `numbers and booleans keep their values`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(page) { screen in
            for stars: Value in [5, 2.5, -0.1, 9_007_199_254_740_993] {
                try await screen.send("rated", ["stars": stars, "isPublic": true])
                screen.expect(.render("stars", stars))
            }
            await #expect(
                throws: EventError.wrongFieldType("isPublic", expected: .boolean, fields: ["stars", "isPublic"])
            ) {
                try await screen.send("rated", ["isPublic": "yes"])
            }
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `the pages of a session share its user`(rehearsal: Rehearsal) async throws {
        let login = Page("login") {
            LoginBusinessLogicController(
                credentials: FixedCredentials(["batman": "bruce"]),
                clock: ManualClock(),
                identity: $0.identity
            )
        }
        let register = Page("register") {
            RegistrationBusinessLogicController(
                userIDs: StubUserIDSaving { _, client in client.user?.username == "batman" },
                identity: $0.identity
            )
        }
        try await rehearsal.run([login, register]) { screens in
            try await screens[login].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
            screens[login].expect(.goToPage("Home"))
            #expect(screens[login].values == ["username": "batman"])
            try await screens[register].send("textFieldDidEndEditing", ["userID": "012345678912"])
            screens[register].expect(.render("userID", "012345678912"), .render("errorMessage", .null))
        }
    }
}
