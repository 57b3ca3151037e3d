import BundledControllers
import BusinessLogic
import TestSupport
import Testing
import UnderstudyTesting

@Suite struct EventTablesTests {
    @Test func `the examples of every bundled event fit the fields that it reads`() {
        func check<Controller>(_ table: EventTable<Controller>) {
            for row in table.rows {
                for example in row.examples() {
                    #expect(row.declaration.reads.map(\.name) == example.map(\.name))
                    #expect(row.declaration.reads.allSatisfy { example[$0.name].map($0.accepts) ?? false })
                }
                #expect(row.examples().isEmpty == row.declaration.reads.isEmpty)
            }
        }
        check(LoginBusinessLogicController.events)
        check(HomeBusinessLogicController.events)
        check(RegistrationBusinessLogicController.events)
        check(SignupBusinessLogicController.events)
        check(ProductsPresenter.events)
        check(ProductDetailPresenter.events)
        check(EmailBusinessLogicController.events)
        check(ForgotPasswordBusinessLogicController.events)
        check(ResetPasswordBusinessLogicController.events)
        check(VerifyAddressBusinessLogicController.events)
        check(AccountBusinessLogicController.events)
        check(TwoFactorLoginBusinessLogicController.events)
        check(SecondFactorBusinessLogicController.events)
        check(FactorsBusinessLogicController.events)
    }

    // MARK: Commands

    /// Sends events to a controller, and returns what it gave or read without declaring it. Expects that each declared command
    /// is given at least once.
    private func undeclared<Controller: BusinessLogicController>(
        _ controller: Controller,
        _ steps: [(Event, Value.Object)],
        exceptUnused unused: Set<String> = []
    ) async throws -> [String] {
        let recorder = ResponseRecorder()
        recorder.eventable = controller
        var undeclared: [String] = []
        var used: Set<String> = []
        for (event, values) in steps {
            let declaration = try #require(Controller.events.declarations.first { $0.event == event })
            let start = recorder.history.sequence
            try await recorder.runEvent(declaration, checksValues: true, with: values) {
                try await controller.dispatchEvent(event)
            }
            undeclared += recorder.undeclared.map { $0.explanation(of: declaration) }
            for entry in recorder.history.current(since: start) {
                for given in declaration.gives where given.allows(entry.command, checksValues: true) {
                    used.insert("\(event.name): \(given)")
                }
            }
        }
        let declared = Controller.events.declarations.flatMap { row in row.gives.map { "\(row.event.name): \($0)" } }
        #expect(Set(declared).subtracting(used) == unused)
        return undeclared
    }

    @Test func `a login declares all that it gives and reads`() async throws {
        let steps: [(Event, Value.Object)] =
            [("loginButtonPressed", ["username": "batman", "password": "bruce"])]
            + Array(repeating: ("loginButtonPressed", ["username": "batman", "password": "joker"]), count: 6)
        let controller = LoginBusinessLogicController(
            credentials: FixedCredentials(["batman": "bruce"]),
            clock: ManualClock()
        )
        #expect(try await undeclared(controller, steps) == [])
    }

    @Test func `a home page declares all that it gives and reads`() async throws {
        let identity = IdentityStub(ClientContext(user: User(username: "batman")))
        let steps: [(Event, Value.Object)] = [
            ("viewDidLoad", [:]), ("productsButtonPressed", [:]), ("registerButtonPressed", [:]),
            ("emailButtonPressed", [:]), ("logoutButtonPressed", [:]), ("viewDidLoad", [:]),
        ]
        #expect(try await undeclared(HomeBusinessLogicController(identity: identity), steps) == [])
    }

    @Test func `a registration declares all that it gives and reads`() async throws {
        let store = UserIDStore()
        _ = try await store.save(userID: "111111111111", for: ClientContext(user: User(username: "bart")))
        let controller = RegistrationBusinessLogicController(
            viewModel: RegistrationViewModel(
                userIDs: store,
                identity: IdentityStub(ClientContext(user: User(username: "lisa")))
            )
        )
        let steps: [(Event, Value.Object)] = ["012345 678912", "1", .null, "111111111111"].map {
            ("textFieldDidEndEditing", ["userID": $0])
        }
        #expect(try await undeclared(controller, steps) == [])
    }

    @Test func `a sign-up declares all that it gives and reads`() async throws {
        let controller = SignupBusinessLogicController(
            viewModel: SignupViewModel(
                passwordPolicy: PolicyStub(),
                accounts: ConfirmedAccounts(),
                clock: ManualClock()
            )
        )
        func submit(_ name: Value, _ email: Value, _ password: Value) -> (Event, Value.Object) {
            ("submitButtonPressed", ["name": name, "email": email, "password": password])
        }
        let steps: [(Event, Value.Object)] = [
            ("viewDidLoad", [:]), ("nameChanged", ["name": "Lisa"]), ("emailChanged", ["email": "l"]),
            ("passwordChanged", ["password": "password123"]), ("passwordChanged", ["password": "bobcat"]),
            ("nameChanged", ["name": ""]), ("nameChanged", ["name": "Lisa"]), ("emailChanged", ["email": .null]),
            submit("", "lisa@rules.com", "bobcat"), ("nameChanged", ["name": "Lisa"]),
            submit("Lisa", .null, "bobcat"), ("emailChanged", ["email": "lisa@rules.com"]),
            submit("Lisa", "lisa@rules.com", ""), ("passwordChanged", ["password": "bobcat"]),
            submit("Lisa", "lisa@rules.com", "password123"),
            submit("Lisa", "lisa@rules.com", "bobcat"), submit("Lisa", "lisa@rules", "bobcat"),
            submit("Lisa", "lisa@rules", "bobcat"), submit("Lisa", "lisa@rules", "bobcat"),
            submit("Lisa", "lisa@rules.com", "bobcat"),
        ]
        #expect(try await undeclared(controller, steps) == [])
    }

    @Test func `a product list declares all that it gives and reads`() async throws {
        let controller = ProductsPresenter(repository: RepositorySpy([], [.car, .book]))
        let steps: [(Event, Value.Object)] = [
            ("onStart", [:]), ("onStart", [:]), ("onSelected", ["product": "Car"]), ("onSelected", ["product": "Book"]),
            ("onSelected", ["product": "Boat"]),
        ]
        #expect(try await undeclared(controller, steps) == [])
    }

    @Test func `a product detail declares all that it gives and reads`() async throws {
        let controller = ProductDetailPresenter(repository: ProductsRepository([.car]))
        let steps: [(Event, Value.Object)] = [("onStart", ["product": "Car"]), ("onStart", ["product": "Boat"])]
        #expect(try await undeclared(controller, steps) == [])
    }

    @Test func `an email page declares all that it gives and reads`() async throws {
        let identity = IdentityStub()
        let controller = EmailBusinessLogicController(person: Person(store: MembersOnlyStore(), identity: identity))
        var steps: [(Event, Value.Object)] = [
            ("viewDidLoad", [:]), ("saveButtonPressed", [:]), ("emailChanged", ["email": "lisa@rules.com"]),
            ("saveButtonPressed", [:]),
        ]
        #expect(
            try await undeclared(
                controller,
                steps,
                exceptUnused: ["saveButtonPressed: goToPage advance", "viewDidLoad: render email: string"]
            ) == []
        )
        identity.user = User(username: "lisa")
        steps = [
            ("emailChanged", ["email": ""]), ("saveButtonPressed", [:]), ("emailChanged", ["email": "lisa@rules.com"]),
            ("saveButtonPressed", [:]), ("viewDidLoad", [:]),
        ]
        #expect(
            try await undeclared(
                controller,
                steps,
                exceptUnused: ["saveButtonPressed: showAlert email.notLoggedIn"]
            ) == []
        )
    }

    @Test func `the pages that send and ask for codes declare all that they give and read`() async throws {
        let (code, clock, codes) = (Shared<PendingCode?>(nil), ManualClock(), CodesSpy())
        let forgot = ForgotPasswordBusinessLogicController(code: code, codes: codes, clock: clock)
        let reset = ResetPasswordBusinessLogicController(
            code: code,
            codes: codes,
            passwords: AccountOwnerSpy(),
            passwordPolicy: PolicyStub(),
            clock: clock
        )
        let send: (Event, Value.Object) = ("sendCodeButtonPressed", ["email": "lisa@rules.example"])
        func enter(_ typed: Value, _ password: Value = "bobcat") -> (Event, Value.Object) {
            ("resetButtonPressed", ["code": typed, "password": password])
        }
        let invalid: (Event, Value.Object) = ("sendCodeButtonPressed", ["email": "lisa@rules"])
        let unused = "sendCodeButtonPressed: showAlert reset.tooManyAttempts"
        #expect(try await undeclared(forgot, [invalid, send], exceptUnused: [unused]) == [])
        let steps = [enter("1", "password123"), enter("1"), enter("12345678")]
        #expect(try await undeclared(reset, steps) == [])
    }
}
