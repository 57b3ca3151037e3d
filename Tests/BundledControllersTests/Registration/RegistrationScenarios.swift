enum RegistrationScenarios {
    static let lisa = User(username: "lisa", id: "1")
    static let accepted: [Command] = [.render("userID", "012345678912"), .render("errorMessage", .null)]

    static func rejected(_ reason: Message) -> [Command] {
        [.render("userID", .null), .render("errorMessage", reason)]
    }

    static func endEditing(_ text: Value) -> Scenario.Step { .send("textFieldDidEndEditing", ["userID": text]) }

    static let group = ScenarioGroup(
        "register",
        [
            Scenario(
                "a valid user ID is saved, normalised, for the logged-in user, and any other one replaces it on the screen",
                as: lisa,
                ["1", " 012345\n678912 ", "111111111111", "012345678912", .null].map(endEditing),
                gives: rejected(.invalidUserID) + accepted + rejected(.userIDTaken) + accepted
                    + rejected(.invalidUserID),
                calls: ["lisa has 012345678912", "lisa has 012345678912"]
            ),
            Scenario(
                "without a logged-in user, a valid user ID is shown and not saved",
                [endEditing("012345678912"), .state(#"{"userID":"012345678912"}"#)],
                gives: accepted
            ),
            Scenario(
                "if a user ID cannot be saved, the previous one stays",
                as: lisa,
                [
                    endEditing("012345678912"), .failing(Outage(), endEditing("999999999999")),
                    .state(#"{"userID":"012345678912"}"#),
                ],
                gives: accepted,
                calls: ["lisa has 012345678912"]
            ),
            Scenario(
                "the injected normaliser and validator decide what is valid",
                on: "doubling",
                [endEditing("a"), endEditing("b")],
                gives: [.render("userID", "aa"), .render("errorMessage", .null)] + rejected(.invalidUserID)
            ),
        ]
    ) { session in
        let log = CallLog([])
        session.calls = { log.value }
        let identity = session.identity
        return [
            ScenarioGroup.page("register") {
                RegistrationBusinessLogicController(
                    viewModel: RegistrationViewModel(.init(userIDs: UserIDStore(log: log)), identity: identity)
                )
            },
            ScenarioGroup.page("doubling") {
                RegistrationBusinessLogicController(
                    viewModel: RegistrationViewModel(.init(normaliser: Doubling(), validator: OnlyDoubleA()))
                )
            },
        ]
    }

    struct Doubling: InputNormalising {
        func normalise(_ input: String?) -> String { (input ?? "") + (input ?? "") }
    }

    struct OnlyDoubleA: UserIDValidating {
        func isValid(userID: String?) -> Bool { userID == "aa" }
    }
}
