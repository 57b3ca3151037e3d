@testable import BundledControllers

enum AccountScenarios {
    static let lisa = AccountOwnerSpy.lisa
    static let wrongPassword = Message.wrongAccountPassword

    static func show(_ ids: String...) -> [Command] {
        let sessions = ids.map { id in
            [
                "id": .string(id), "started": "1970-01-01T00:00:01Z", "lastUsed": "1970-01-01T00:00:02Z",
                "browser": "Firefox, Linux", "isCurrent": .boolean(id == "b"),
            ] as Value
        }
        return [.render("sessions", .array(sessions)), .render("sessionCount", Value(ids.count))]
    }

    static let device: Value = ["id": "a", "lastLogin": "1970-01-01T00:00:02Z"]
    static let agent: Value.Object = [
        "agentName": "Claude", "agentDays": 7, "agentMayChange": true, "password": "bruce",
    ]
    static let addedAgent: Value = ["id": "c", "name": "Claude", "mayChange": true, "expires": "1970-01-01T00:00:03Z"]
    static let loaded: [Command] =
        [
            .render("username", "lisa@rules.example"), .render("email", "lisa@rules.example"),
            .render("emailConfirmed", true),
        ] + show("b", "a") + [.render("devices", [device]), .render("agents", [addedAgent])]
    static let newPassword: Value.Object = ["password": "bruce", "newPassword": "a new long password"]
    static let newEmail: Value.Object = ["password": "bruce", "newEmail": "bart@rules.example"]

    static func end(session: Value) -> Scenario.Step { .send("endSessionButtonPressed", ["session": session]) }

    static func end(device: Value) -> Scenario.Step { .send("endDeviceButtonPressed", ["device": device]) }

    /// Every event that concerns an account, with a right password if it needs one.
    static let all: [Scenario.Step] = [
        .send("viewDidLoad"), .send("exportButtonPressed"), .send("endSessionsButtonPressed"), end(session: "a"),
        end(device: "a"), .send("deleteButtonPressed", ["password": "bruce"]),
        .send("changeEmailButtonPressed", newEmail), .send("changePasswordButtonPressed", newPassword),
        .send("addAgentButtonPressed", agent), .send("verifyButtonPressed"),
    ]

    static let group = ScenarioGroup(
        "account",
        as: lisa,
        [
            Scenario(
                "the page shows the account, its sessions and its devices, and leads to the page that verifies addresses",
                [.send("viewDidLoad"), .send("verifyButtonPressed")],
                gives: [
                    .render("username", "lisa@rules.example"), .render("email", "lisa@rules.example"),
                    .render("emailConfirmed", true),
                ] + show("b", "a") + [
                    .render("devices", [device]), .render("agents", []), .render("agentToken", nil),
                    .goToPage("verify"),
                ],
                calls: ["confirm lisa@rules.example"]
            ),
            Scenario(
                "without a user, every event leads to the login and changes nothing",
                isGuest: true,
                all,
                gives: [Command.goToPage("login")].repeated(10)
            ),
            Scenario(
                "a user without an account is told so by every event, which changes nothing",
                as: User(username: "batman"),
                all,
                gives: [Command.showAlert(.noAccount)].repeated(10)
            ),
            Scenario(
                "with a wrong password, nothing changes, and the right one removes the message of its event only",
                [
                    .send("deleteButtonPressed", ["password": "robin"]),
                    .send("changePasswordButtonPressed", ["password": "robin", "newPassword": "a new long password"]),
                    .send("changeEmailButtonPressed", ["password": "robin", "newEmail": "bart@rules.example"]),
                    .send("changeEmailButtonPressed", newEmail),
                    .expect { $0.code.value?.email == "bart@rules.example" && $0.code.value?.purpose == .change },
                    .send("changeEmailButtonPressed", newEmail), .send("deleteButtonPressed", ["password": "bruce"]),
                ],
                gives: [
                    .render("deletionMessage", wrongPassword), .render("newPasswordMessage", wrongPassword),
                    .render("newEmailMessage", wrongPassword), .render("newEmailMessage", nil), .goToPage("verify"),
                    .goToPage("verify"), .render("deletionMessage", nil), .showAlert(.accountDeleted),
                    .goToPage("login"),
                ],
                calls: ["change bart@rules.example", "change bart@rules.example", "delete"],
                logsOut: true
            ),
            Scenario(
                "another user's right password is wrong",
                as: User(username: lisa.username, id: "2"),
                [.send("deleteButtonPressed", ["password": "bruce"])],
                gives: [.render("deletionMessage", wrongPassword)]
            ),
            Scenario(
                "a text that is not an address gets no code, and after too many wrong codes, no address does",
                [
                    .send("changeEmailButtonPressed", ["password": "bruce", "newEmail": "bart@rules"]),
                    .init { $0.code.value = PendingCode(.reset, email: "", hash: "", sent: $0.clock.now, attempts: 5) },
                    .send("changeEmailButtonPressed", newEmail), .send("verifyButtonPressed"),
                ],
                gives: [
                    .render("newEmailMessage", .invalidNewEmail), .render("newEmailMessage", nil),
                    .showAlert(.tooManyVerificationCodes), .showAlert(.tooManyVerificationCodes),
                ]
            ),
            Scenario(
                "the link to the page that verifies addresses ends no code that is on its way",
                [.send("changeEmailButtonPressed", newEmail), .send("verifyButtonPressed")],
                gives: [.goToPage("verify"), .goToPage("verify")],
                calls: ["change bart@rules.example"]
            ),
            Scenario(
                "another password logs the user out, unless the policy rejects it",
                [
                    .send("changePasswordButtonPressed", ["password": "bruce", "newPassword": "password123"]),
                    .send("changePasswordButtonPressed", newPassword),
                ],
                gives: [
                    .render("newPasswordMessage", PolicyStub.objection.about("newPassword")),
                    .render("newPasswordMessage", nil), .showAlert(.accountPasswordChanged), .goToPage("login"),
                ],
                calls: ["change password a new long password"],
                logsOut: true
            ),
            Scenario(
                "a session and a device end once, and the page shows the others",
                [end(session: "c"), end(session: "a"), end(device: "b"), end(device: "a")],
                gives: [.render("sessionMessage", .unknownSession)] + show("b", "a")
                    + [.render("sessionMessage", nil)] + show("b")
                    + [.render("deviceMessage", .unknownDevice), .render("devices", [device]), .render("agents", [])]
                    + [.render("deviceMessage", nil), .render("devices", []), .render("agents", [])],
                calls: ["end session a", "end device a"]
            ),
            Scenario(
                "an agent ends, and the page shows the others",
                [.send("addAgentButtonPressed", agent), end(device: "b"), end(device: "c")],
                gives: [
                    .render("agents", [addedAgent]), .render("agentToken", "token"),
                    .render("deviceMessage", .unknownDevice), .render("devices", [device]),
                    .render("agents", [addedAgent]), .render("deviceMessage", nil), .render("devices", [device]),
                    .render("agents", []),
                ],
                calls: ["add agent Claude true 7", "end device c"]
            ),
            Scenario(
                "an agent is added with the right password, and its token is shown until the page is loaded a second time",
                [
                    .send("addAgentButtonPressed", ["agentName": "Claude", "password": "robin"]),
                    .send("addAgentButtonPressed", agent), .send("viewDidLoad"), .send("viewDidLoad"),
                ],
                gives: [
                    .render("agentMessage", wrongPassword), .render("agentMessage", nil),
                    .render("agents", [addedAgent]), .render("agentToken", "token"),
                ] + loaded + loaded + [.render("agentToken", nil)],
                calls: ["add agent Claude true 7"]
            ),
            Scenario(
                "the session in use does not end, and the page says how to end it",
                as: lisa,
                [end(session: "b")],
                gives: [.render("sessionMessage", .ownSession)] + show("b", "a")
            ),
            Scenario(
                "what has changed is shown, also if the change is stored after the event",
                on: "later",
                [end(session: "a"), end(device: "a"), .send("addAgentButtonPressed", agent), end(device: "c")],
                gives: show("b") + [
                    .render("devices", []), .render("agents", []), .render("agents", [addedAgent]),
                    .render("agentToken", "token"), .render("devices", []), .render("agents", []),
                ]
            ),
            Scenario(
                "all sessions end, also this one",
                [.send("endSessionsButtonPressed")],
                gives: [.showAlert(.sessionsEnded), .goToPage("login")],
                calls: ["end sessions"],
                logsOut: true
            ),
            Scenario(
                "the export contains the whole account",
                [.send("exportButtonPressed")],
                gives: [
                    .render(
                        "export",
                        [
                            "name": "Lisa", "username": "lisa@rules.example", "email": "lisa@rules.example",
                            "emailConfirmed": "1970-01-01T00:00:01Z", "userID": .null, "contactEmail": .null,
                            "created": "1970-01-01T00:00:01Z", "devices": [device], "agents": [],
                        ]
                    )
                ]
            ),
        ]
    ) { session in
        let (owner, identity) = (AccountOwnerSpy(), session.identity)
        let credentials = CredentialCheck { username, password, _ in
            username == lisa.username && password == "bruce" ? lisa : nil
        }
        session.calls = { owner.codes + owner.changes }
        func page(_ owner: AccountOwnerSpy) -> () -> any BusinessLogicController {
            let request = session.request(owner)
            return {
                AccountBusinessLogicController(
                    accounts: owner,
                    credentials: credentials,
                    request: request,
                    passwordPolicy: PolicyStub(),
                    identity: identity
                )
            }
        }
        return [("account", page(owner)), ("later", page(AccountOwnerSpy(storesLater: true)))]
    }
}
