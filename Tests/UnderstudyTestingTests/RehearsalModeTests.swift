import BundledPages
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

/// A controller that greets and counts guests.
private final class GuestbookController: BusinessLogicController {
    static let greeting = Output<String>("greeting")
    static let stars = Output<Value>("stars")

    static let events: EventTable<GuestbookController> = [
        .default(
            "signButtonPressed",
            reads: Field<String>("name"),
            gives: [.renders(greeting), .alerts(.noName)]
        ) { $0.sign($1) },
        .event(
            "rated",
            reads: Field<Double>("stars"),
            Field<Bool>("isPublic"),
            gives: [.renders(stars)]
        ) { controller, _, _ in
            controller.render(stars, controller.controllable?.getValue("stars") ?? .null)
        },
    ]

    weak var controllable: (any Controllable)?
    var state = 0

    private func sign(_ name: String) {
        guard !name.isEmpty else { return showAlert(.noName) }
        state += 1
        render(Self.greeting, "Welcome \(name), you are guest \(state)")
    }
}

/// A controller whose fields may be absent.
private final class NewsletterController: StatelessController, BusinessLogicController {
    static let isHTML = Field<Bool>("isHTML").whenAbsent(false)
    static let interval = Field<String>("interval").whenAbsent("weekly")
    static let summary = Output<String>("summary")

    static let events: EventTable<NewsletterController> = [
        .default("subscribed", reads: isHTML, interval, gives: [.renders(summary)]) { controller, isHTML, interval in
            controller.render(summary, "\(isHTML), \(interval)")
        }
    ]
}

/// A controller that only users with the role `admin` may use.
private struct OfficePage: Script {
    static let roles = Output<[String]>("roles")

    static let events: EventTable<Scripted<OfficePage>> = [
        .default("opened", gives: [.renders(roles), .alerts(.noAdmin)]) { controller in
            guard controller.identity.roles.contains("admin") else { return controller.showAlert(.noAdmin) }
            controller.render(roles, controller.identity.roles)
        }
    ]

    let identity: any Identity
}

/// A check that accepts all passwords, and gives the roles that the password names.
private struct RoleCredentials: CredentialChecking {
    func verify(username: String, password: String, for client: ClientContext) -> VerifiedUser? {
        VerifiedUser(User(username: username, id: "1", roles: password.split(separator: " ").map(String.init)))
    }
}

/// Saves only the user IDs of batman.
private struct BatmansUserIDs: UserIDSaving {
    func save(userID: String, for client: ClientContext) -> Bool { client.user?.username == "batman" }
}

extension Message {
    fileprivate static let noAdmin = Message(code: "office.noAdmin", text: "You may not enter the office")
    fileprivate static let noName = Message(code: "guestbook.noName", text: "Please write your name")
}

@Suite struct RehearsalModeTests {
    private let page = Page("guestbook") { _ in GuestbookController() }

    private func login(_ credentials: any CredentialChecking) -> Page {
        Page("login") {
            LoginBusinessLogicController(
                credentials: $0.recorded(credentials),
                clock: $0.recorded(ManualClock()),
                identity: $0.identity
            )
        }
    }

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
                throws: EventError.wrongFieldType(
                    "isPublic",
                    expected: ExpectedValue(.boolean, example: true),
                    fields: ["stars", "isPublic"]
                )
            ) {
                try await screen.send("rated", ["isPublic": "yes"])
            }
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `a field that the screen does not contain has its declared value`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(Page("newsletter") { _ in NewsletterController() }) { screen in
            try await screen.send("subscribed")
            screen.expect(NewsletterController.summary, "false, weekly")
            try await screen.send("subscribed", ["isHTML": true, "interval": "daily"])
            screen.expect(NewsletterController.summary, "true, daily")
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `a controller reads the roles of the user who has logged in`(rehearsal: Rehearsal) async throws {
        let login = login(RoleCredentials())
        let office = Page("office") { Scripted(OfficePage(identity: $0.identity)) }
        try await rehearsal.run([login, office]) { screens in
            try await screens[office].send("opened")
            screens[office].expect(.showAlert(.noAdmin))
            try await screens[login].send("loginButtonPressed", ["username": "ada", "password": "admin support"])
            screens[login].expect(.goToPage("Home"))
            try await screens[office].send("opened")
            screens[office].expect(OfficePage.roles, ["admin", "support"])
            try await screens[login].send("loginButtonPressed", ["username": "ada", "password": "Admin"])
            screens[login].expect(.goToPage("Home"))
            try await screens[office].send("opened")
            screens[office].expect(.showAlert(.noAdmin))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `the pages of a session share its user`(rehearsal: Rehearsal) async throws {
        let login = login(FixedCredentials(["batman": "bruce"]))
        let register = Page("register") {
            RegistrationBusinessLogicController(
                viewModel: RegistrationViewModel(
                    userIDs: $0.recorded(BatmansUserIDs()),
                    identity: $0.identity
                )
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

    @Test(arguments: Rehearsal.allCases)
    func `a session's next user finds pages in their initial state`(rehearsal: Rehearsal) async throws {
        let login = login(FixedCredentials(["batman": "bruce", "robin": "dick"]))
        try await rehearsal.run([login, page]) { screens in
            try await screens[page].send("signButtonPressed", ["name": "Lisa"])
            screens[page].expect(.render("greeting", "Welcome Lisa, you are guest 1"))
            try await screens[login].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
            screens[login].expect(.goToPage("Home"))
            try await screens[page].send("signButtonPressed", ["name": "Bart"])
            screens[page].expect(.render("greeting", "Welcome Bart, you are guest 2"))
            try await screens[login].send("loginButtonPressed", ["username": "robin", "password": "dick"])
            screens[login].expect(.goToPage("Home"))
            try await screens[page].send("signButtonPressed", ["name": "Lisa"])
            screens[page].expect(.render("greeting", "Welcome Lisa, you are guest 1"))
        }
    }
}
