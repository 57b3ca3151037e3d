@testable import BundledControllers

enum SignupScenarios {
    static let disabled = Command.render("submitButtonEnabled", false)
    static let enabled = Command.render("submitButtonEnabled", true)
    static let successful = Command.showAlert(.signupSuccessful)
    static let unsuccessful = Command.showAlert(.signupUnsuccessful)
    static let tooMany = Command.showAlert(.tooManySignupAttempts)
    static let complete = Command.render("message", .null)
    static let rejected = Command.render("passwordMessage", PolicyStub.objection.about("password"))
    static let lisa = "Lisa lisa@rules.com bobcat of r"

    static func incomplete(_ field: String) -> [Command] {
        [.render("message", Message.signupIncomplete.about(field)), disabled]
    }

    static func enter(_ value: Value, into field: String) -> Scenario.Step {
        .send(Event("\(field)Changed"), [field: value])
    }

    /// Fills in the form after the view has loaded.
    static func filling(email: Value) -> [Scenario.Step] {
        [
            .send("viewDidLoad"), enter("Lisa", into: "name"), enter(email, into: "email"),
            enter("bobcat", into: "password"),
        ]
    }

    static func submit(
        name: Value = "Lisa",
        email: Value = "lisa@rules.com",
        password: Value = "bobcat",
        times: Int = 1
    ) -> Scenario.Step {
        .send("submitButtonPressed", ["name": name, "email": email, "password": password], times: times)
    }

    static let invalid = submit(email: "lisa@rules")

    static let group = ScenarioGroup("signup", button + submission + attempts + passwords + collaborators) { session in
        let log = CallLog([])
        session.calls = { log.value }
        let (identity, request) = (session.identity, session.request())
        func page(_ viewModel: @escaping () -> SignupViewModel) -> () -> any BusinessLogicController {
            { SignupBusinessLogicController(viewModel: viewModel()) }
        }
        let (accounts, confirming) = (AccountStore(log: log), AccountStore(log: log, confirms: true))
        return [
            ("signup", page { SignupViewModel(passwordPolicy: PolicyStub(), accounts: accounts, identity: identity) }),
            ("oneAddress", page { SignupViewModel(emailValidator: OneAddress()) }),
            ("confirming", page { SignupViewModel(accounts: confirming, identity: identity, request: request) }),
        ]
    }

    // MARK: Rule 1: the button is enabled only if all fields are present

    static let button = [
        Scenario(
            "neither the order in which the fields are given is of importance, nor whether the address is valid",
            [
                enter("bobcat", into: "password"), enter("l", into: "email"), enter("Lisa", into: "name"),
                .send("viewDidLoad"), enter("", into: "name"),
            ],
            gives: [disabled, enabled, disabled]
        ),
        Scenario(
            "the submit button is disabled, enabled once all fields are given, and disabled while one is empty",
            filling(email: "lisa@rules.com") + [
                enter("", into: "name"), enter("Lisa", into: "name"), enter(.null, into: "name"),
                enter("Lisa", into: "name"), enter("", into: "email"), enter("l@x.org", into: "email"),
                enter(.null, into: "email"), enter("l@x.org", into: "email"), enter("", into: "password"),
                enter("bobcat", into: "password"), enter(.null, into: "password"),
            ],
            gives: [disabled] + [enabled, disabled].repeated(6)
        ),
        Scenario(
            "a change that does not affect the button renders nothing",
            filling(email: "lisa@rules.com") + [
                enter("Lisa Luo", into: "name"), enter("luo@rules.com", into: "email"),
                enter("wildcat", into: "password"),
            ],
            gives: [disabled, enabled]
        ),
        Scenario(
            "a view that has not reported its load gets the button's first state",
            Array(filling(email: "lisa@rules.com").dropFirst()),
            gives: [disabled, enabled]
        ),
    ]

    // MARK: Rule 1 at submission

    static let submission = [
        Scenario(
            "a form with an empty field cannot be submitted, and the message is about the first one",
            [
                submit(name: ""), submit(name: .null), submit(email: ""), submit(email: .null), submit(password: ""),
                submit(password: .null), submit(name: "", email: "lisa@rules", password: ""),
                submit(email: "", password: ""),
            ],
            gives: ["name", "name", "email", "email", "password", "password", "name", "email"].flatMap(incomplete)
        ),
        Scenario(
            "an incomplete form counts no attempt, and the message is cleared once the form is complete",
            [invalid, invalid, submit(email: .null, times: 3), submit(), invalid],
            gives: [unsuccessful, unsuccessful] + incomplete("email") + incomplete("email") + incomplete("email")
                + [complete, enabled, successful, tooMany, disabled],
            calls: [lisa]
        ),
        Scenario(
            "an incomplete submission disables an enabled button until the field is filled in again",
            filling(email: "lisa@rules.com") + [
                submit(email: ""), enter("lisa@rules.com", into: "email"), submit(password: ""),
                enter("bobcat", into: "password"),
            ],
            gives: [disabled, enabled] + incomplete("email") + [complete, enabled] + incomplete("password")
                + [complete, enabled]
        ),
        Scenario(
            "the message about a field is cleared when that field is filled in, and by no other field",
            [
                submit(name: "", email: "", password: ""), enter("lisa@rules.com", into: "email"),
                enter("bobcat", into: "password"), enter("Lisa", into: "name"), enter("", into: "name"),
            ],
            gives: incomplete("name") + [complete, enabled, disabled]
        ),
        Scenario(
            "a submission uses its own values for all fields, and they update the button",
            filling(email: "lisa@rules") + [submit(), submit(password: .null), enter("Lisa", into: "name")],
            gives: [disabled, enabled, successful] + incomplete("password"),
            calls: [lisa]
        ),
        Scenario(
            "after a submission, another field shows the button that the view has not got yet",
            [.send("viewDidLoad"), submit(), enter("Lisa Luo", into: "name")],
            gives: [disabled, successful, enabled],
            calls: [lisa]
        ),
        Scenario(
            "a form with a missing field is rejected and does not count as an attempt",
            [
                invalid, invalid,
                .failing(
                    EventError.missingField("password", fields: ["name", "email", "password"]),
                    .send("submitButtonPressed")
                ),
                invalid,
            ],
            gives: [unsuccessful, unsuccessful, tooMany, disabled]
        ),
    ]

    // MARK: Rules 2 and 3: three unsuccessful attempts

    static let attempts = [
        Scenario(
            "the third unsuccessful attempt shows an alert and disables the button permanently",
            filling(email: "lisa@rules") + [invalid, invalid, invalid] + filling(email: "lisa@rules.com"),
            gives: [disabled, enabled, unsuccessful, unsuccessful, tooMany, disabled, disabled]
        ),
        Scenario(
            "every submission after too many attempts is rejected: an incomplete one, and one with a valid address",
            [invalid, invalid, invalid, invalid, submit(email: .null), submit()],
            gives: [unsuccessful, unsuccessful, tooMany, disabled, tooMany, tooMany, tooMany]
        ),
        Scenario(
            "a success does not reset the count of unsuccessful attempts",
            [invalid, submit(), invalid, submit(), invalid],
            gives: [unsuccessful, successful, unsuccessful, successful, tooMany, disabled],
            calls: [lisa, lisa]
        ),
        Scenario(
            "the injected validator decides whether an email address is valid",
            on: "oneAddress",
            [submit(), submit(email: "valid")],
            gives: [unsuccessful, successful]
        ),
    ]

    // MARK: Passwords

    static let passwords = [
        Scenario(
            "the state contains whether a password is present, and not the password",
            filling(email: "lisa@rules") + [
                invalid, invalid,
                .state(
                    #"{"emailIsPresent":true,"nameIsPresent":true,"passwordIsPresent":true,"submitButtonEnabled":true,"#
                        + #""unsuccessfulAttempts":2}"#
                ),
            ],
            gives: [disabled, enabled, unsuccessful, unsuccessful]
        ),
        Scenario(
            "the button stays disabled while the policy rejects the password",
            Array(filling(email: "lisa@rules.com").dropLast())
                + ["password123", "password123", "bobcat", "password123", ""].map { enter($0, into: "password") },
            gives: [
                disabled, rejected, .render("passwordMessage", .null), enabled, rejected, disabled,
                .render("passwordMessage", .null),
            ]
        ),
        Scenario(
            "a password that the policy rejects creates nothing and does not count as an attempt",
            [submit(password: "password123", times: 4), submit()],
            gives: [rejected, disabled].repeated(4)
                + [.render("passwordMessage", .null), successful],
            calls: [lisa]
        ),
        Scenario(
            "at submission, the policy gets the name, and its objection is in the state instead of the password",
            [
                submit(password: "Lisa"),
                .expect {
                    let state = (try? $0.state) ?? ""
                    return state.contains("test.objection") && !state.contains("Lisa")
                },
            ],
            gives: [rejected, disabled]
        ),
        Scenario(
            "an invalid email address is reported before the password",
            [submit(email: "lisa@rules", password: "password123")],
            gives: [unsuccessful]
        ),
    ]

    // MARK: Accounts

    static let collaborators = [
        Scenario(
            "an account that cannot be created is neither a success nor an attempt",
            [
                .failing(Outage(), submit(name: "Chris")), .failing(Outage(), submit(name: "Chris")),
                .failing(Outage(), submit(name: "Chris")), submit(),
            ],
            gives: [successful],
            calls: [lisa]
        ),
        Scenario(
            "a sign-up whose address must be confirmed says so, and its session waits for the code",
            on: "confirming",
            [
                submit(),
                .expect {
                    let now = $0.clock.now
                    return $0.code.value
                        == PendingCode(.confirm, email: "lisa@rules.com", hash: "hash", signup: "7", sent: now)
                },
            ],
            gives: [successful, .render("codeSent", true)],
            calls: [lisa]
        ),
    ]
}
