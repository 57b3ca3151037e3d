import BundledControllers
import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@Suite struct SignupScenarios {
    private func page(
        _ policy: any PasswordPolicy = NoPasswordPolicy(),
        accounts: any AccountCreating = NoAccounts()
    ) -> Page {
        Page("signup") {
            SignupBusinessLogicController(
                viewModel: SignupViewModel(passwordPolicy: policy, accounts: accounts, identity: $0.identity)
            )
        }
    }

    private func form(_ email: Value) -> Value.Object {
        ["name": "Lisa", "email": email, "password": "secret"]
    }

    @Test(arguments: Rehearsal.allCases)
    func `the button is enabled as long as all three have been given`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(page()) { screen in
            try await screen.send("viewDidLoad")
            screen.expect(.render("submitButtonEnabled", false))
            try await screen.send("nameChanged", ["name": "Lisa"])
            try await screen.send("passwordChanged", ["password": "x"])
            try await screen.send("emailChanged", ["email": "lisa"])
            screen.expect(.render("submitButtonEnabled", true))
            try await screen.send("emailChanged", ["email": "lisa@rules.com"])
            try await screen.send("nameChanged", ["name": nil])
            screen.expect(.render("submitButtonEnabled", false))
            try await screen.send("nameChanged", ["name": "L"])
            screen.expect(.render("submitButtonEnabled", true))
            try await screen.send("passwordChanged", ["password": ""])
            screen.expect(.render("submitButtonEnabled", false))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `three unsuccessful attempts are too many for good`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(page()) { screen in
            for _ in 1...2 {
                try await screen.send("submitButtonPressed", form("lisa@rules"))
                screen.expect(.showAlert(.signupUnsuccessful))
            }
            try await screen.send("submitButtonPressed", form("lisa@rules"))
            screen.expect(.showAlert(.tooManySignupAttempts), .render("submitButtonEnabled", false))
            for email: Value in ["lisa@rules", "lisa@rules.com"] {
                try await screen.send("submitButtonPressed", form(email))
                screen.expect(.showAlert(.tooManySignupAttempts))
            }
            try await screen.send("nameChanged", ["name": "Homer"])
            screen.expect()
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `a valid address creates an account`(rehearsal: Rehearsal) async throws {
        let accounts = StubAccountCreating { name, email, password, _ in
            #expect([name, email, password] == ["Lisa", "lisa@rules.com", "secret"])
        }
        try await rehearsal.run(page(accounts: accounts)) { screen in
            for _ in 1...4 {
                try await screen.send("submitButtonPressed", form("lisa@rules.com"))
                screen.expect(.showAlert(.signupSuccessful))
            }
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `what there is to object to a password is rendered, and is no attempt`(rehearsal: Rehearsal) async throws {
        let policy = StubPasswordPolicy { $0 == "secret" ? .passwordMissing : nil }
        try await rehearsal.run(page(policy)) { screen in
            for _ in 1...4 {
                try await screen.send("submitButtonPressed", form("lisa@rules.com"))
                screen.expect(.render("passwordMessage", .passwordMissing), .render("submitButtonEnabled", false))
            }
            try await screen.send("submitButtonPressed", ["password": "another"])
            screen.expect(.render("passwordMessage", .null), .showAlert(.signupSuccessful))
        }
    }
}
