@testable import BundledControllers

/// The pages `forgot`, `reset` and `verify`, which share the code that their session waits for.
enum CodeScenarios {
    static let lisa = AccountOwnerSpy.lisa
    static let passwordReset: [Command] = [.showAlert(.passwordReset), .goToPage("login")]
    static let sent: [Command] = [.render("message", .resetCodeSent), .goToPage("reset")]
    static let wrongReset = Command.render("message", .wrongResetCode)
    static let wrong = Command.render("message", .wrongVerificationCode)
    static let verified: [Command] = [.render("verified", true), .goToPage("Home")]
    static let tooMany = Command.showAlert(.tooManyResetCodes)
    static let rejected = Command.render("passwordMessage", PolicyStub.objection.about("password"))

    static func send(to email: Value = "lisa@rules.example") -> Scenario.Step {
        .send("sendCodeButtonPressed", ["email": email], on: "forgot")
    }

    static func enter(_ code: Value, password: Value = "a new long password", times: Int = 1) -> Scenario.Step {
        .send("resetButtonPressed", ["code": code, "password": password], on: "reset", times: times)
    }

    static func confirm(_ code: Value, times: Int = 1) -> Scenario.Step {
        .send("verifyButtonPressed", ["code": code], on: "verify", times: times)
    }

    static let load = Scenario.Step.send("viewDidLoad", on: "reset")
    static let sendAgain = Scenario.Step.send("sendCodeButtonPressed", on: "verify")

    /// A code that another page has sent.
    static func pending(
        _ purpose: PendingCode.Purpose,
        email: String = "lisa@rules.example",
        hash: String = "hash",
        signup: String? = nil
    ) -> Scenario.Step {
        .init { session in
            session.code.value = PendingCode(purpose, email: email, hash: hash, signup: signup, sent: session.clock.now)
        }
    }

    /// The calls in which codes are sent and checked.
    static func reset(_ address: String = "lisa", _ checks: Int = 0, _ code: String = "12345678") -> [String] {
        ["reset \(address)@rules.example"] + ["check \(code)"].repeated(checks)
    }

    static let changed = "reset lisa@rules.example a new long password"

    static let group = ScenarioGroup("codes", resetting + limits + verifying) { session in
        let owner = AccountOwnerSpy()
        session.calls = { owner.codes + owner.changes }
        let (request, steps) = (session.request(owner), session.steps)
        return [
            ("forgot", { ForgotPasswordBusinessLogicController(request: request) }),
            ScenarioGroup.page("reset") {
                ResetPasswordBusinessLogicController(request: request, accounts: owner, passwordPolicy: PolicyStub())
            },
            ("verify", { VerifyAddressBusinessLogicController(request: request, accounts: owner, login: steps) }),
        ]
    }

    // MARK: A forgotten password

    static let resetting = [
        Scenario(
            "any address gets the same commands, and a text that is not an address gets no code",
            [send(), send(to: "stranger@rules.example"), send(to: "lisa@rules")],
            gives: sent + sent + [.render("message", .invalidEmail)],
            calls: reset() + reset("stranger")
        ),
        Scenario(
            "if no code can be sent, the session waits for none",
            [.failing(Outage(), send(to: "chris@rules.example")), .expect { $0.code.value == nil }, enter("12345678")],
            gives: [wrongReset]
        ),
        Scenario(
            "the right code changes the password, once, whatever white space is in it",
            [send(), enter(" 1234 5678\n"), enter("12345678")],
            gives: sent + passwordReset + [wrongReset],
            calls: reset("lisa", 1) + [changed]
        ),
        Scenario(
            "a code for another purpose is wrong",
            [send(), confirm("12345678"), pending(.confirm), enter("12345678")],
            gives: sent + [wrong, wrongReset],
            calls: reset()
        ),
        Scenario(
            "the page shows for which address a code was requested, for as long as it is valid",
            [load, send(), load, .wait(.seconds(600)), load],
            gives: [.render("email", nil)] + sent + [.render("email", "lisa@rules.example"), .render("email", nil)],
            calls: reset()
        ),
        Scenario(
            "a code is valid for ten minutes",
            [send(), .wait(.seconds(599)), enter("12345678"), send(), .wait(.seconds(600)), enter("12345678")],
            gives: sent + passwordReset + sent + [wrongReset],
            calls: reset("lisa", 1) + reset() + [changed]
        ),
        Scenario(
            "a rejected password uses neither the code nor an attempt",
            [send(), enter("12345678", password: "password123", times: 6), enter("12345678")],
            gives: sent + [rejected].repeated(6) + [.render("passwordMessage", nil)] + passwordReset,
            calls: reset("lisa", 1) + [changed]
        ),
        Scenario(
            "if the account has gone since, the code is wrong",
            [send(to: "bart@rules.example"), enter("12345678")],
            gives: sent + [wrongReset],
            calls: reset("bart", 1) + ["reset bart@rules.example a new long password"]
        ),
    ]

    // MARK: Too many wrong codes

    static let limits = [
        Scenario(
            "another code gives no attempts back, also for another address",
            [send(), enter("00000000", times: 3), send(to: "bart@rules.example"), enter("00000000", times: 2)],
            gives: sent + [wrongReset, wrongReset, wrongReset] + sent + [wrongReset, tooMany],
            calls: reset("lisa", 3, "00000000") + reset("bart", 2, "00000000")
        ),
        Scenario(
            "after five wrong codes, the right one is wrong as well, and no other one is sent for ten minutes",
            [
                send(), enter("00000000", times: 5), enter("12345678"), .wait(.seconds(599)), send(),
                .wait(.seconds(1)), send(), enter("12345678"),
            ],
            gives: sent + [wrongReset].repeated(4) + [tooMany, tooMany, tooMany] + sent + passwordReset,
            calls: reset("lisa", 5, "00000000") + reset("lisa", 1) + [changed]
        ),
        Scenario(
            "the fifth wrong code for an address ends it",
            as: lisa,
            [sendAgain, confirm("00000000", times: 5), sendAgain],
            gives: [.render("message", .verificationCodeSent)] + [wrong].repeated(4)
                + [.showAlert(.tooManyVerificationCodes), .showAlert(.tooManyVerificationCodes)],
            calls: ["confirm lisa@rules.example"] + ["check 00000000"].repeated(5)
        ),
    ]

    // MARK: An address

    static let verifying = [
        Scenario(
            "the right code confirms the address of a sign-up, and logs the user in, once",
            [pending(.confirm, signup: "7"), confirm("00000000"), confirm("12345678", times: 2)],
            gives: [wrong] + verified + [wrong],
            calls: ["check 00000000", "check 12345678", "confirm confirm lisa@rules.example 7"],
            logsIn: lisa
        ),
        Scenario(
            "a user whose account has another name follows it, which is no login",
            as: User(username: "simpson@rules.example", id: lisa.id),
            [
                .init { $0.steps.logIn(User(username: "simpson@rules.example", id: lisa.id)) }, .wait(.seconds(300)),
                pending(.confirm), confirm("12345678"), .init { #expect(!$0.steps.isFresh) },
            ],
            gives: verified,
            calls: ["check 12345678", "confirm confirm lisa@rules.example -"],
            logsIn: lisa
        ),
        Scenario(
            "an address that was the user's name ends the login",
            as: lisa,
            [
                .init { $0.steps.logIn(lisa) }, .wait(.seconds(300)), pending(.change, email: "simpson@rules.example"),
                confirm("12345678"), .init { #expect(!$0.steps.isFresh) },
            ],
            gives: [verified[0], .showAlert(.addressChanged), .goToPage("login")],
            calls: ["check 12345678", "confirm change simpson@rules.example -"],
            logsOut: true
        ),
        Scenario(
            "an address that another account has got meanwhile is not confirmed",
            [pending(.change, email: "taken@rules.example"), confirm("12345678")],
            gives: [wrong],
            calls: ["check 12345678", "confirm change taken@rules.example -"]
        ),
        Scenario(
            "another code goes to the same address, for the same sign-up",
            [pending(.confirm, hash: "other", signup: "7"), confirm("12345678"), sendAgain, confirm("12345678")],
            gives: [wrong, .render("message", .verificationCodeSent)] + verified,
            calls: [
                "check 12345678", "confirm lisa@rules.example", "check 12345678",
                "confirm confirm lisa@rules.example 7",
            ],
            logsIn: lisa
        ),
        Scenario(
            "a user who is logged in gets a code for the address of the account",
            as: lisa,
            [sendAgain, confirm("12345678")],
            gives: [.render("message", .verificationCodeSent)] + verified,
            calls: ["confirm lisa@rules.example", "check 12345678", "confirm confirm lisa@rules.example -"]
        ),
        Scenario(
            "without a sign-up and a login, there is no address to send a code to, also while a password is reset",
            [sendAgain, send(), sendAgain],
            gives: [.goToPage("login")] + sent + [.goToPage("login")],
            calls: reset()
        ),
    ]
}
