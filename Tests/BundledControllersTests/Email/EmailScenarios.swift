enum EmailScenarios {
    static let lisa = User(username: "lisa")
    static let bart = User(username: "bart")
    static let chris = User(username: "chris")
    static let disabled = Command.render("saveButtonEnabled", false)
    static let enabled = Command.render("saveButtonEnabled", true)
    static let invalid: [Command] = [.render("message", .invalidEmail), disabled]
    static let save = Scenario.Step.send("saveButtonPressed")
    static let load = Scenario.Step.send("viewDidLoad")

    static func enter(_ email: Value) -> Scenario.Step { .send("emailChanged", ["email": email]) }

    static let group = ScenarioGroup(
        "email",
        [
            Scenario(
                "only a valid address enables the save button, and entering one saves nothing",
                as: bart,
                ["lisa@rules", "lisa@rules.com", "lisa@rules.co", "", "lisa@rules.com", .null].map(enter),
                gives: [disabled, enabled, disabled, enabled, disabled]
            ),
            Scenario(
                "saving an address that is not valid saves nothing, shows why, and disables the save button",
                as: bart,
                [enter("lisa@rules"), save],
                gives: [disabled] + invalid
            ),
            Scenario(
                "the entered address is saved, and shown when the view loads again, but not what is entered after it",
                as: bart,
                [load, enter("lisa@rules.com"), save, load, enter("bart@rules.com"), load],
                gives: [
                    disabled, enabled, .goToPage("advance"), enabled, .render("email", "lisa@rules.com"), enabled,
                    .render("email", "lisa@rules.com"),
                ],
                calls: ["bart has lisa@rules.com"]
            ),
            Scenario(
                "the view loads with a disabled save button, and no address if none is saved",
                as: bart,
                [load, enter("lisa@rules"), enter("lisa@rules.com")],
                gives: [disabled, enabled]
            ),
            Scenario(
                "the view shows the address that the user saved in an earlier session",
                [load, .user(lisa), load],
                gives: [disabled, disabled, .render("email", "before@rules.com")],
                logsIn: lisa
            ),
            Scenario(
                "the message is cleared when the address changes, once",
                as: bart,
                [save, enter("lisa@rules"), enter("lisa@rules.com"), save],
                gives: invalid + [.render("message", .null), enabled, .goToPage("advance")],
                calls: ["bart has lisa@rules.com"]
            ),
            Scenario(
                "without a logged-in user, saving shows an alert instead of advancing, and keeps no address",
                [enter("lisa@rules.com"), save, load, .user(bart), save],
                gives: [enabled, .showAlert(.emailNotLoggedIn), enabled, .goToPage("advance")],
                calls: ["bart has lisa@rules.com"],
                logsIn: bart
            ),
            Scenario(
                "if the store fails, nothing is loaded and nothing is saved",
                as: chris,
                [enter("lisa@rules.com"), .failing(Outage(), load), .failing(Outage(), save), .user(bart), load],
                gives: [enabled, enabled],
                logsIn: bart
            ),
            Scenario(
                "the state contains only the address and whether the save button is enabled",
                [
                    .state(#"{"email":""}"#), enter("lisa@rules.com"),
                    .state(#"{"email":"lisa@rules.com","saveButtonEnabled":true}"#),
                ],
                gives: [enabled]
            ),
            Scenario(
                "without a store, any client saves addresses that the injected validator accepts",
                on: "alone",
                [enter("lisa@rules.com"), enter("valid"), save, load],
                gives: [disabled, enabled, .goToPage("advance"), enabled, .render("email", "valid")]
            ),
        ]
    ) { session in
        let log = CallLog([])
        session.calls = { log.value }
        let identity = session.identity
        return [
            ScenarioGroup.page("email") {
                EmailBusinessLogicController(person: Person(store: AddressBook(log: log), identity: identity))
            },
            ("alone", { EmailBusinessLogicController(person: Person(validator: OneAddress())) }),
        ]
    }
}
