@testable import BundledControllers

enum FactorsScenarios {
    static let lisa = FactorsSpy.lisa
    static let tooOld: [Command] = [.showAlert(.loginTooOld), .goToPage("login")]
    static let codes = Command.render("recoveryCodes", ["s3cr3t-code"])
    static let noCodes = Command.render("recoveryCodes", [])
    static let creation = Command.render("passkeyCreation", ["challenge": "challenge 1"])
    static let wrongCode = Command.render("appMessage", .wrongAppCode)
    static let app: [Command] = [
        .render("appSecret", "S3CR 3T"), .render("appAddress", "otpauth:s3cr3t"), .render("appQRCode", "data:s3cr3t"),
    ]
    static let noApp = ["appSecret", "appAddress", "appQRCode"].map { Command.render($0, nil) }

    static func list(_ codesLeft: Value = 10) -> [Command] {
        [.render("passkeys", []), .render("authenticatorApp", nil), .render("recoveryCodesLeft", codesLeft)]
    }

    static func shown(isFresh: Value) -> [Command] {
        [.render("username", "lisa@rules.example"), .render("loginIsFresh", isFresh)] + list(0)
    }

    /// Lisa has just logged in.
    static let logIn = Scenario.Step { $0.steps.logIn(lisa) }
    static let createPasskey = Scenario.Step.send("createPasskeyButtonPressed")
    static let createApp = Scenario.Step.send("createAppButtonPressed")
    static let createCodes = Scenario.Step.send("createRecoveryCodesButtonPressed")

    static func addPasskey(_ passkey: Value) -> Scenario.Step {
        .send("passkeyCreated", ["passkey": passkey, "passkeyName": "Phone"])
    }

    static func confirmApp(_ code: Value) -> Scenario.Step { .send("confirmAppButtonPressed", ["code": code]) }

    static func removePasskey(_ id: Value, endSessions: Value = false) -> Scenario.Step {
        .send("removePasskeyButtonPressed", ["passkeyID": id, "endSessions": endSessions])
    }

    static let changes = [
        createPasskey, .send("passkeyCreated", ["passkey": "{}"]), createApp, confirmApp("123456"), removePasskey("a"),
        .send("removeAppButtonPressed"), createCodes,
    ]

    static let group = ScenarioGroup("factors", as: lisa, logins + passkeys + apps + recoveryCodes) { session in
        let steps = session.steps
        let variants = [
            ("factors", FactorsSpy()), ("withoutPasskeys", FactorsSpy(hasPasskeys: false)),
            ("threeCodes", FactorsSpy(codesLeft: 3)), ("noCodes", FactorsSpy(codesLeft: 0)),
            ("unconfirmed", FactorsSpy(needsConfirmation: true)),
        ]
        session.calls = { variants.flatMap(\.1.calls) }
        return variants.map { name, factors in
            (name, { FactorsBusinessLogicController(factors: factors, login: steps) })
        }
    }

    // MARK: Who may change what

    static let logins = [
        Scenario(
            "without a user, every event leads to the login and changes nothing",
            isGuest: true,
            [.send("viewDidLoad")] + changes,
            gives: [Command.goToPage("login")].repeated(8)
        ),
        Scenario(
            "five minutes after the login, every change needs another one",
            [logIn, .wait(.seconds(300))] + changes,
            gives: tooOld.repeated(7)
        ),
        Scenario(
            "a login that another user has begun is not fresh",
            [.init { $0.steps.logIn(User(username: "bart", id: "2")) }, .user(lisa), .send("viewDidLoad")] + changes,
            gives: shown(isFresh: false) + tooOld.repeated(7)
        ),
        Scenario(
            "the page says whether the login is fresh, also if the clock was ahead",
            [logIn, .send("viewDidLoad"), .wait(.seconds(-1)), .send("viewDidLoad")],
            gives: shown(isFresh: true) + shown(isFresh: false)
        ),
        Scenario(
            "who has not confirmed the address adds no factor",
            on: "unconfirmed",
            [logIn] + changes.prefix(4),
            gives: [Command.showAlert(.unconfirmedAddress)].repeated(4)
        ),
        Scenario(
            "a user without an account has no factors",
            as: User(username: "batman"),
            [.send("viewDidLoad")] + changes,
            gives: [Command.showAlert(.noAccount)].repeated(8)
        ),
    ]

    // MARK: Passkeys

    static let passkeys = [
        Scenario(
            "a passkey is created with the challenge of the session, once",
            [logIn, createPasskey, addPasskey("challenge 1"), addPasskey("challenge 1")],
            gives: [creation] + list() + [codes, .render("passkeyMessage", .wrongPasskey)],
            calls: ["add passkey 'Phone'"]
        ),
        Scenario(
            "a rejected passkey can be created again, which removes the message",
            [logIn, createPasskey, addPasskey("other"), createPasskey],
            gives: [
                creation, .render("passkeyMessage", .wrongPasskey), .render("passkeyMessage", nil),
                .render("passkeyCreation", ["challenge": "challenge 2"]),
            ],
            calls: ["add passkey 'Phone'"]
        ),
        Scenario(
            "where there can be no passkeys, the page says so",
            on: "withoutPasskeys",
            [logIn, createPasskey],
            gives: [.render("passkeyMessage", .noPasskeys)]
        ),
        Scenario(
            "a passkey is removed, and an unknown one is not",
            on: "threeCodes",
            [logIn, removePasskey("b"), removePasskey("a", endSessions: true)],
            gives: [.render("passkeyMessage", .unknownPasskey), .render("passkeyMessage", nil)] + list(3),
            calls: ["remove passkey", "remove passkey", "end other sessions"]
        ),
    ]

    // MARK: Authenticator apps

    static let apps = [
        Scenario(
            "an app is added by its code, which hides its secret",
            [logIn, createApp, confirmApp("000000"), confirmApp("123456"), confirmApp("123456")],
            gives: app + [wrongCode, .render("appMessage", nil)] + noApp + list() + [codes, wrongCode],
            calls: ["add app", "add app"]
        ),
        Scenario(
            "another secret removes the message about a wrong code",
            [logIn, createApp, confirmApp("000000"), createApp],
            gives: app + [wrongCode, .render("appMessage", nil)] + app,
            calls: ["add app"]
        ),
        Scenario(
            "the secret of an app is for five minutes, also if a later login is fresh",
            [
                logIn, createApp, .wait(.seconds(299)),
                .init { $0.progress.value.latest = LatestLogin(user: "1", time: $0.clock.now) }, .wait(.seconds(1)),
                confirmApp("123456"),
            ],
            gives: app + noApp + [noCodes, wrongCode]
        ),
        Scenario(
            "secrets that the user has left behind are hidden five minutes after the last one",
            [
                logIn, createApp, .wait(.seconds(1)), createCodes, .wait(.milliseconds(299_999)),
                createCodes,
                .wait(.milliseconds(1)), .state(#"{"shownMessages":[]}"#),
            ],
            gives: app + list() + [codes] + tooOld + noApp + [noCodes],
            calls: ["codes"]
        ),
        Scenario(
            "an app that another session has removed is not shown any more",
            [logIn, .send("removeAppButtonPressed", ["endSessions": true])],
            gives: shown(isFresh: true),
            calls: ["remove app"]
        ),
    ]

    // MARK: Recovery codes

    static let recoveryCodes = [
        Scenario(
            "new recovery codes are shown until the user has kept them",
            [logIn, createCodes, .send("recoveryCodesKeptButtonPressed")],
            gives: list() + [codes, noCodes],
            calls: ["codes"]
        ),
        Scenario(
            "without another factor, there are no recovery codes, and shown ones disappear with it",
            on: "noCodes",
            [logIn, createCodes, .send("removeAppButtonPressed"), removePasskey("a")],
            gives: [.showAlert(.noFactor)] + list(0) + [noCodes] + list(0) + [noCodes],
            calls: ["codes", "remove app", "remove passkey"]
        ),
    ]
}
