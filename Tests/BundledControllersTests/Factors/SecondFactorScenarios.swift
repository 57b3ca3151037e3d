@testable import BundledControllers

/// A login with a second factor, on the pages `login` and `secondFactor`.
enum SecondFactorScenarios {
    /// The password bruce of lisa@rules.example needs a second factor, and that of batman does not.
    struct Credentials: CredentialChecking {
        func verify(username: String, password: String, for client: ClientContext) -> VerifiedUser? {
            guard password == "bruce" else { return nil }
            return username == lisa.username
                ? VerifiedUser(lisa, proof: "right") : VerifiedUser(User(username: username))
        }
    }

    static let lisa = FactorsSpy.lisa
    static let wrong = Command.render("message", .wrongSecondFactor)
    static let wrongPassword = Command.render("message", .wrongCredentials)
    static let wrongPasskey = Command.render("message", .wrongLoginPasskey)
    static let expired: [Command] = [.showAlert(.secondFactorExpired), .goToPage("login")]
    static let needed = Command.goToPage("secondFactor")
    static let home = Command.goToPage("Home")

    static func enterPassword(
        _ password: Value = "bruce",
        of username: Value = "lisa@rules.example",
        on page: String = "login",
        times: Int = 1
    ) -> Scenario.Step {
        .send("loginButtonPressed", ["username": username, "password": password], on: page, times: times)
    }

    static func enter(_ code: Value, times: Int = 1) -> Scenario.Step {
        .send("verifyButtonPressed", ["code": code], on: "secondFactor", times: times)
    }

    static func request(on page: String) -> Scenario.Step { .send("passkeyRequested", on: page) }

    static func choose(_ passkey: Value, on page: String) -> Scenario.Step {
        .send("passkeyChosen", ["passkey": passkey], on: page)
    }

    static func request(_ number: Int) -> Command { .render("passkeyRequest", ["challenge": "challenge \(number)"]) }

    static let group = ScenarioGroup("second factor", passwords + passkeys) { session in
        let (factors, steps) = (FactorsSpy(), session.steps)
        session.calls = { factors.calls }
        func login(_ factors: any FactorManaging) -> () -> any BusinessLogicController {
            { TwoFactorLoginBusinessLogicController(credentials: Credentials(), factors: factors, login: steps) }
        }
        return [
            ("login", login(factors)), ("withoutAccounts", login(NoAccounts())),
            ("secondFactor", { SecondFactorBusinessLogicController(factors: factors, login: steps) }),
            ScenarioGroup.page("withoutFactors") { [clock = session.clock, identity = session.identity] in
                LoginBusinessLogicController(credentials: Credentials(), clock: clock, identity: identity)
            },
        ]
    }

    // MARK: After a password

    static let passwords = [
        Scenario(
            "a right password leads to the second factor, which the page shows, and logs in after it",
            [
                enterPassword(), .expect { $0.identity.user == nil }, .send("viewDidLoad", on: "secondFactor"),
                enter("123456"),
            ],
            gives: [
                needed, .render("factors", ["passkey": true, "authenticatorApp": true, "recoveryCodes": false]), home,
            ],
            calls: ["code of lisa@rules.example"],
            logsIn: lisa
        ),
        Scenario(
            "a wrong password leads nowhere, and without a right one, every event leads to the login",
            on: "secondFactor",
            [
                enterPassword("robin"), enter("123456"), .send("viewDidLoad"), .send("passkeyRequested"),
                choose("{}", on: "secondFactor"),
            ],
            gives: [wrongPassword] + expired + expired + expired + expired
        ),
        Scenario(
            "after ten minutes, the password must be entered again",
            [enterPassword(), .wait(.seconds(599)), enter("000000"), .wait(.seconds(1)), enter("123456")],
            gives: [needed, wrong] + expired,
            calls: ["code of lisa@rules.example"]
        ),
        Scenario(
            "five wrong codes lead back to the login, a right one comes too late, and another login has five again",
            [enterPassword(), enter("000000", times: 5), enter("123456"), enterPassword(), enter("000000", times: 4)],
            gives: [needed, wrong, wrong, wrong, wrong, .showAlert(.tooManySecondFactors), .goToPage("login")]
                + expired + [needed, wrong, wrong, wrong, wrong],
            calls: ["code of lisa@rules.example"].repeated(9)
        ),
        Scenario(
            "after a right code, another login has five again",
            [
                enterPassword(), enter("000000", times: 4), enter("123456"), .user(nil), enterPassword(),
                enter("000000", times: 4),
            ],
            gives: [needed, wrong, wrong, wrong, wrong, home, needed, wrong, wrong, wrong, wrong],
            calls: Array(repeating: "code of lisa@rules.example", count: 9)
        ),
        Scenario(
            "a password ends the login with a passkey that has begun",
            [request(on: "login"), enterPassword(), choose("challenge 1", on: "login")],
            gives: [request(1), needed, wrongPasskey]
        ),
        Scenario(
            "an event that fails counts nothing, and the login still waits",
            [enterPassword()] + Array(repeating: .failing(Outage(), enter("outage")), count: 9) + [enter("123456")],
            gives: [needed, home],
            calls: ["code of lisa@rules.example"].repeated(10),
            logsIn: lisa
        ),
        Scenario(
            "a second password replaces the login of the first, and one without a second factor ends it",
            [enterPassword(), enterPassword(of: "batman"), enter("123456")],
            gives: [needed, home] + expired,
            logsIn: User(username: "batman")
        ),
        Scenario(
            "if the account has no factors any more, a code leads to the login",
            [
                .init {
                    let expires = $0.clock.now + .seconds(600)
                    $0.progress.value.pending = PendingLogin(user: lisa, proof: "old", expires: expires)
                },
                enter("000000"),
            ],
            gives: expired,
            calls: ["code of lisa@rules.example"]
        ),
        Scenario(
            "a login without second factors logs no one in who needs one",
            [enterPassword(on: "withoutFactors")],
            gives: [wrongPassword]
        ),
        Scenario(
            "five wrong passwords block the login for 15 minutes, but not a passkey, which resets their count",
            [
                enterPassword("robin", times: 5), enterPassword(), request(on: "login"),
                choose("challenge 1", on: "login"), enterPassword("robin"), .user(nil),
                enterPassword("robin", times: 4), .wait(.seconds(900)), enterPassword(),
            ],
            gives: [wrongPassword].repeated(5)
                + [.showAlert(.tooManyLoginAttempts), request(1), home]
                + [wrongPassword].repeated(5) + [.render("message", .loginAllowed), needed],
            calls: ["passkey of anyone"]
        ),
    ]

    // MARK: Passkeys

    static let passkeys = [
        Scenario(
            "a passkey completes the login, with the challenge of the session, once",
            [
                enterPassword(), request(on: "secondFactor"), choose("challenge 9", on: "secondFactor"),
                choose("challenge 1", on: "secondFactor"), request(on: "secondFactor"),
                choose("challenge 2", on: "secondFactor"),
            ],
            gives: [needed, request(1), wrong, wrong, request(2), home],
            calls: ["passkey of lisa@rules.example", "passkey of lisa@rules.example"],
            logsIn: lisa
        ),
        Scenario(
            "a login needs only a passkey, with the challenge of the session, once",
            [
                request(on: "login"), choose("challenge 2", on: "login"), choose("challenge 1", on: "login"),
                request(on: "login"), choose("challenge 2", on: "login"),
            ],
            gives: [request(1), wrongPasskey, wrongPasskey, request(2), home],
            calls: ["passkey of anyone", "passkey of anyone"],
            logsIn: lisa
        ),
        Scenario(
            "a challenge is for one page, and for ten minutes",
            [
                enterPassword(), request(on: "login"), choose("challenge 1", on: "secondFactor"),
                request(on: "secondFactor"), choose("challenge 2", on: "login"), request(on: "login"),
                .wait(.seconds(600)), choose("challenge 3", on: "login"),
            ],
            gives: [needed, request(1), wrong, request(2), wrongPasskey, request(3), wrongPasskey]
        ),
        Scenario(
            "five wrong passkeys lead back to the login",
            [enterPassword()]
                + (1...5).flatMap { _ in [request(on: "secondFactor"), choose("x", on: "secondFactor")] },
            gives: [needed] + (1...4).flatMap { [request($0), wrong] }
                + [request(5), .showAlert(.tooManySecondFactors), .goToPage("login")],
            calls: ["passkey of lisa@rules.example"].repeated(5)
        ),
        Scenario(
            "where there can be no passkeys, the request is null",
            [request(on: "withoutAccounts"), choose("{}", on: "withoutAccounts")],
            gives: [.render("passkeyRequest", .null), wrongPasskey]
        ),
    ]
}
