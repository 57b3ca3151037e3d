enum LoginScenarios {
    static let batman = User(username: "batman")
    static let blocked = Command.showAlert(.tooManyLoginAttempts)
    static let allowed = Command.render("message", .loginAllowed)
    static let home = Command.goToPage("Home")
    static let event: Event = "loginButtonPressed"

    static func enter(_ password: String, as username: String = "batman", times: Int = 1) -> Scenario.Step {
        .send(event, ["username": .string(username), "password": .string(password)], times: times)
    }

    static func missing(_ field: String, _ values: Value.Object) -> Scenario.Step {
        .failing(EventError.missingField(field, fields: ["username", "password"]), .send(event, values))
    }

    static func wrong(_ count: Int) -> [Command] { [Command.render("message", .wrongCredentials)].repeated(count) }

    static let group = ScenarioGroup(
        "login",
        [
            Scenario(
                "a password of another user, an empty one and any other one are wrong",
                [enter("bruce", as: "joker"), enter(""), enter("joker")],
                gives: wrong(3)
            ),
            Scenario(
                "the fifth attempt can still succeed, and a success resets the count",
                [enter("joker", times: 4), enter("bruce"), enter("joker", times: 6)],
                gives: wrong(4) + [home] + wrong(5) + [blocked],
                logsIn: batman
            ),
            Scenario(
                "failures with different usernames count together",
                ["batman", "joker", "penguin", "riddler", "catwoman", "batman"].map { enter("guess", as: $0) },
                gives: wrong(5) + [blocked]
            ),
            Scenario(
                "a login is possible again exactly 15 minutes after the last counted failure",
                [
                    enter("joker", times: 4), .wait(.seconds(60)), enter("joker"), .wait(.milliseconds(899_999)),
                    enter("bruce"), .wait(.milliseconds(1)), enter("bruce"),
                ],
                gives: wrong(5) + [blocked, allowed, home],
                logsIn: batman
            ),
            Scenario(
                "after the clock was set back, a login is possible again 15 minutes after the next attempt",
                [
                    enter("joker", times: 5), .wait(.seconds(-3600)), enter("bruce"), .wait(.milliseconds(899_999)),
                    enter("bruce"), .wait(.milliseconds(1)), enter("bruce"),
                ],
                gives: wrong(5) + [blocked, blocked, allowed, home],
                logsIn: batman
            ),
            Scenario(
                "blocked attempts do not count and do not extend the wait",
                [
                    enter("joker", times: 5), .wait(.seconds(14 * 60)), enter("joker", times: 3), .wait(.seconds(60)),
                    enter("joker", times: 6),
                ],
                gives: wrong(5) + [blocked, blocked, blocked, allowed] + wrong(5) + [blocked]
            ),
            Scenario(
                "fewer than five failures cause no wait and are not forgotten",
                [enter("joker", times: 4), .wait(.seconds(24 * 60 * 60)), enter("joker", times: 2)],
                gives: wrong(5) + [blocked]
            ),
            Scenario(
                "it is possible then also if no update has run, and the next failure is the first one",
                [enter("joker", times: 5), .wait(.seconds(900), runsUpdates: false), enter("joker"), enter("bruce")],
                gives: wrong(6) + [home],
                logsIn: batman
            ),
            Scenario(
                "the limit can be configured",
                on: "strict",
                [enter("joker", times: 3), .wait(.seconds(10)), enter("bruce")],
                gives: wrong(2) + [blocked, allowed, home],
                logsIn: batman
            ),
            Scenario(
                "an error of the check is rethrown and does not count as an attempt",
                [
                    enter("joker", times: 4), .failing(Outage(), enter("anything", as: "robin")),
                    .failing(Outage(), enter("anything", as: "robin")), enter("joker", times: 2),
                ],
                gives: wrong(5) + [blocked]
            ),
            Scenario(
                "a missing field is rejected by name and does not count as an attempt",
                [
                    missing("username", ["password": "joker"]), enter("joker", times: 4), missing("password", [:]),
                    missing("password", [:]), enter("joker", times: 2),
                ],
                gives: wrong(5) + [blocked]
            ),
            Scenario(
                "a login sets the user, whom a failed login of another user keeps",
                [enter("bruce"), enter("joker", as: "joker")],
                gives: [home] + wrong(1),
                logsIn: batman
            ),
            Scenario(
                "the state contains neither the username nor the password",
                [enter("joker"), .state(#"{"failures":1,"lastFailure":1803893400123}"#)],
                gives: wrong(1)
            ),
            Scenario(
                "the check of credentials gets the client's context",
                on: "context",
                [enter("anything")],
                gives: [home],
                logsIn: User(username: "batman", id: "r")
            ),
        ]
    ) { session in
        let credentials = CredentialCheck { username, password, client in
            if username == "robin" { throw Outage() }
            return username == "batman" && password == "bruce" ? User(username: "batman") : nil
        }
        let context = CredentialCheck { username, _, client in
            client.address == IPAddress("203.0.113.7") ? User(username: username, id: client.requestID) : nil
        }
        let (clock, identity) = (session.clock, session.identity)
        let strict = LoginAttempts.Limit(failures: 2, interval: .seconds(10))
        return [
            ("login", { LoginBusinessLogicController(credentials: credentials, clock: clock, identity: identity) }),
            ScenarioGroup.page("strict") {
                LoginBusinessLogicController(credentials: credentials, clock: clock, limit: strict, identity: identity)
            },
            ("context", { LoginBusinessLogicController(credentials: context, clock: clock, identity: identity) }),
        ]
    }
}
