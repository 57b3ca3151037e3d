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

extension Message {
    fileprivate static let noAdmin = Message(code: "office.noAdmin", text: "You may not enter the office")
}

struct RehearsalModeTests {
    func login(_ credentials: any CredentialChecking) -> Page {
        Page("login") {
            LoginBusinessLogicController(
                credentials: $0.recorded(credentials),
                clock: $0.recorded(ManualClock()),
                identity: $0.identity
            )
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
    func `numbers, booleans and texts keep their values`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(FormController.page) { screen in
            for (age, name) in [(5, "Lisa"), (2.5, "Ho\"mer\u{1F600}\n"), (-0.1, "")] as [(Value, Value)]
                + [9_007_199_254_740_993, Int.max, .min].map({ (Value($0), "Lisa") })
            {
                try await screen.send("entered", ["age": age, "agrees": true, "name": name, "pin": "1"])
                screen.expect(.render("age", age), .render("agrees", true), .render("name", name))
            }
            let (expected, fields) = (ExpectedValue(.boolean, example: true), ["age", "agrees", "name", "pin"])
            let error = EventError.wrongFieldType("agrees", expected: expected, fields: fields)
            await #expect(throws: error) { try await screen.send("entered", ["agrees": "yes", "pin": "1"]) }
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `a session's next user finds pages in their initial state`(rehearsal: Rehearsal) async throws {
        let login = login(FixedCredentials(["batman": "bruce", "robin": "dick"]))
        try await rehearsal.run([login, CountingController.page]) { screens in
            func count(is count: Value) async throws {
                try await screens["counter"].send("count")
                screens["counter"].expect(.render("counting", count), .render("counted", count))
            }
            try await count(is: 1)
            for (user, password, next) in [("batman", "bruce", 2), ("robin", "dick", 1)] as [(Value, Value, Value)] {
                try await screens[login].send("loginButtonPressed", ["username": user, "password": password])
                screens[login].expect(.goToPage("Home"))
                try await count(is: next)
            }
        }
    }
}
