enum HomeScenarios {
    static let batman = User(username: "batman", id: "1")

    static let group = ScenarioGroup(
        "home",
        [
            Scenario(
                "a logged-in user sees their name, and each button leads to its page",
                as: batman,
                ["viewDidLoad", "productsButtonPressed", "registerButtonPressed", "emailButtonPressed"].map {
                    .send($0)
                },
                gives: [
                    .render("username", "batman"), .goToPage("products"), .goToPage("register"), .goToPage("email"),
                ]
            ),
            Scenario(
                "logging out ends the login and leads to the login page, as every later visit",
                as: batman,
                [.send("logoutButtonPressed"), .send("viewDidLoad")],
                gives: [.goToPage("login"), .goToPage("login")],
                logsOut: true
            ),
            Scenario(
                "without an identity, the page leads to the login",
                on: "alone",
                [.send("viewDidLoad")],
                gives: [.goToPage("login")]
            ),
        ]
    ) { session in
        [
            ("home", { [identity = session.identity] in HomeBusinessLogicController(identity: identity) }),
            ("alone", { HomeBusinessLogicController() }),
        ]
    }
}
