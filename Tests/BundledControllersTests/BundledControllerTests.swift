@testable import BundledControllers
import TestSupport
import Testing
import UnderstudyTesting

/// What all bundled controllers have in common. Each takes part with a session: the events of one client, step by step.
@Suite struct BundledControllerTests {
    private struct Session: CustomTestStringConvertible, Sendable {
        struct Step: Sendable {
            let event: Event
            let values: Value.Object
            let delay: Duration

            /// After the delay, the fields are set and the event happens.
            init(_ event: Event, _ values: Value.Object = [:], after delay: Duration = .zero) {
                self.event = event
                self.values = values
                self.delay = delay
            }
        }

        let testDescription: String
        var user: String?
        let steps: [Step]
        /// The declared commands that the steps do not give.
        var unused: Set<String> = []
        /// Creates the collaborators, and returns what makes a controller with them.
        let start: @Sendable (ManualClock, StubIdentity) -> () -> any BusinessLogicController
    }

    // MARK: The sessions

    private static let sessions = [
        login, home, registration, signUp, products, product, emailOfGuest, emailOfUser, forgottenPassword, newPassword,
    ]

    private static let wrong: Value.Object = ["username": "batman", "password": "joker"]
    private static let right: Value.Object = ["username": "batman", "password": "bruce"]

    private static let login = Session(
        testDescription: "a login",
        steps: [
            .init("loginButtonPressed", wrong), .init("loginButtonPressed", right), .init("loginButtonPressed", wrong),
            .init("loginButtonPressed", wrong, after: .seconds(60)),
            .init("loginButtonPressed", wrong, after: .seconds(60)),
            .init("loginButtonPressed", wrong, after: .seconds(60)),
            .init("loginButtonPressed", wrong, after: .seconds(60)), .init("loginButtonPressed", right),
            .init("loginButtonPressed", right, after: .seconds(899)),
            .init("loginButtonPressed", right, after: .seconds(1)),
        ]
    ) { clock, _ in
        { LoginBusinessLogicController(credentials: FixedCredentials(["batman": "bruce"]), clock: clock) }
    }

    private static let home = Session(
        testDescription: "a home page",
        user: "batman",
        steps: [
            .init("viewDidLoad"), .init("productsButtonPressed"), .init("registerButtonPressed"),
            .init("emailButtonPressed"), .init("logoutButtonPressed"), .init("viewDidLoad"),
        ]
    ) { _, identity in
        { HomeBusinessLogicController(identity: identity) }
    }

    private static let registration = Session(
        testDescription: "a registration",
        user: "lisa",
        steps: [" 012345 678912 ", "1", .null, "111111111111", "012345678912"].map {
            .init("textFieldDidEndEditing", ["userID": $0])
        }
    ) { _, identity in
        let store = UserIDStore(["111111111111": ClientContext(user: User(username: "bart"))])
        return {
            RegistrationBusinessLogicController(viewModel: RegistrationViewModel(userIDs: store, identity: identity))
        }
    }

    private static func submit(_ name: Value, _ email: Value, _ password: Value) -> Session.Step {
        .init("submitButtonPressed", ["name": name, "email": email, "password": password])
    }

    private static let signUp = Session(
        testDescription: "a sign-up",
        steps: [
            .init("viewDidLoad"), .init("nameChanged", ["name": "Lisa"]), .init("emailChanged", ["email": "l"]),
            .init("passwordChanged", ["password": "password123"]), .init("passwordChanged", ["password": "bobcat"]),
            .init("nameChanged", ["name": ""]), .init("nameChanged", ["name": "Lisa"]),
            .init("emailChanged", ["email": .null]), submit("", "lisa@rules.com", "bobcat"),
            .init("nameChanged", ["name": "Lisa"]), submit("Lisa", .null, "bobcat"),
            .init("emailChanged", ["email": "lisa@rules.com"]), submit("Lisa", "lisa@rules.com", ""),
            .init("passwordChanged", ["password": "bobcat"]), submit("Lisa", "lisa@rules.com", "password123"),
            submit("Lisa", "lisa@rules.com", "bobcat"), submit("Lisa", "lisa@rules", "bobcat"),
            submit("Lisa", "lisa@rules", "bobcat"), submit("Lisa", "lisa@rules", "bobcat"),
            submit("Lisa", "lisa@rules.com", "bobcat"),
        ]
    ) { _, _ in
        {
            SignupBusinessLogicController(
                viewModel: SignupViewModel(passwordPolicy: PolicyStub(), accounts: ConfirmedAccounts())
            )
        }
    }

    private static let products = Session(
        testDescription: "a product list",
        steps: [
            .init("onStart"), .init("onStart"), .init("onSelected", ["product": "Book"]),
            .init("onSelected", ["product": "Car"]), .init("onSelected", ["product": "Boat"]),
        ]
    ) { _, _ in
        let repository = RepositorySpy([], [.car, .book])
        return { ProductsPresenter(repository: repository) }
    }

    private static let product = Session(
        testDescription: "a product",
        steps: [.init("onStart", ["product": "Car"]), .init("onStart", ["product": "Boat"])]
    ) { _, _ in
        { ProductDetailPresenter(repository: ProductsRepository([.car])) }
    }

    private static let emailOfGuest = Session(
        testDescription: "an email address without a user",
        steps: [
            .init("viewDidLoad"), .init("saveButtonPressed"), .init("emailChanged", ["email": "lisa@rules.com"]),
            .init("saveButtonPressed"),
        ],
        unused: ["saveButtonPressed: goToPage advance", "viewDidLoad: render email: string"]
    ) { _, identity in
        { EmailBusinessLogicController(person: Person(store: MembersOnlyStore(), identity: identity)) }
    }

    private static let emailOfUser = Session(
        testDescription: "an email address of a user",
        user: "lisa",
        steps: [
            .init("viewDidLoad"), .init("saveButtonPressed"), .init("emailChanged", ["email": "lisa@rules"]),
            .init("emailChanged", ["email": "lisa@rules.com"]), .init("emailChanged", ["email": "lisa@rules.co"]),
            .init("saveButtonPressed"), .init("viewDidLoad"), .init("emailChanged", ["email": .null]),
            .init("saveButtonPressed"),
        ],
        unused: ["saveButtonPressed: showAlert email.notLoggedIn"],
        start: emailOfGuest.start
    )

    private static let forgottenPassword = Session(
        testDescription: "a forgotten password",
        steps: ["lisa@rules", "lisa@rules.example"].map { .init("sendCodeButtonPressed", ["email": $0]) },
        unused: ["sendCodeButtonPressed: showAlert reset.tooManyAttempts"]
    ) { clock, _ in
        let request = CodeRequest(code: Shared(nil), accounts: AccountOwnerSpy(), clock: clock, identity: nil)
        return { ForgotPasswordBusinessLogicController(request: request) }
    }

    private static let newPassword = Session(
        testDescription: "a new password",
        steps: [("1", "password123"), ("1", "bobcat"), ("12345678", "bobcat")].map {
            .init("resetButtonPressed", ["code": .string($0), "password": .string($1)])
        }
    ) { clock, _ in
        let code = Shared<PendingCode?>(
            PendingCode(.reset, email: AccountOwnerSpy.lisa.username, hash: "hash", sent: clock.now)
        )
        let request = CodeRequest(code: code, accounts: AccountOwnerSpy(), clock: clock, identity: nil)
        return {
            ResetPasswordBusinessLogicController(
                request: request,
                accounts: AccountOwnerSpy(),
                passwordPolicy: PolicyStub()
            )
        }
    }

    // MARK: What they have in common

    @Test(arguments: sessions)
    private func `a controller gives only what it declares, and all of it`(session: Session) async throws {
        let outcome = try await run(session)
        #expect(outcome.undeclared == [])
        #expect(outcome.unused == session.unused)
    }

    @Test(arguments: sessions)
    private func `a session continues in another process before each of its events`(session: Session) async throws {
        #expect(try await run(session, isRestored: true).history == run(session).history)
    }

    /// A screen owns its controller, and a controller does not own its screen.
    @Test(arguments: sessions)
    private func `a controller and its screen are freed after an event`(session: Session) async throws {
        weak var screenLeft: ResponseRecorder?
        weak var logicLeft: (any Eventable)?
        do {
            let screen = ResponseRecorder()
            let logic = session.start(ManualClock(), StubIdentity())()
            screen.eventable = logic
            try await screen.dispatchEvent(session.steps[0].event, with: session.steps[0].values)
            #expect(!screen.commands.isEmpty)
            (screenLeft, logicLeft) = (screen, logic)
        }
        #expect(screenLeft == nil)
        #expect(logicLeft == nil)
    }

    @Test func `a state of an earlier version can be restored`() throws {
        let products = ProductsPresenter(repository: ProductsRepository([]))
        products.state = try decoded(from: "{}")
        #expect(products.state.items == nil)
        let email = EmailBusinessLogicController()
        email.state = try decoded(from: #"{"email":"lisa@rules.com","saveButtonEnabled":true}"#)
        #expect(try json(email.state) == #"{"email":"lisa@rules.com","saveButtonEnabled":true}"#)
        let text =
            #"{"emailIsPresent":true,"nameIsPresent":true,"passwordIsPresent":true,"submitButtonEnabled":true,"#
            + #""unsuccessfulAttempts":2}"#
        let signup = SignupBusinessLogicController()
        signup.state = try decoded(from: text)
        #expect(try json(signup.state) == text)
    }

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
        check(SecondFactorBusinessLogicController.events)
        check(FactorsBusinessLogicController.events)
    }

    // MARK: Running a session

    private struct Outcome {
        var history: [CommandHistory.Entry] = []
        var undeclared: [String] = []
        /// The declared commands that were not given.
        var unused: Set<String> = []
    }

    /// - Parameter isRestored: before every step, all state is encoded as JSON and restored in new objects.
    private func run(_ session: Session, isRestored: Bool = false) async throws -> Outcome {
        let clock = ManualClock()
        let identity = StubIdentity(ClientContext(user: session.user.map { User(username: $0) }))
        let make = session.start(clock, identity)
        var (recorder, controller) = (ResponseRecorder(page: "page"), make())
        recorder.eventable = controller
        let declarations = declarations(of: controller)
        var outcome = Outcome()
        outcome.unused = Set(declarations.flatMap { row in row.gives.map { "\(row.event.name): \($0)" } })
        for step in session.steps {
            if isRestored {
                let kept = try throughJSON(Array(recorder.history.kept))
                let restored = ResponseRecorder(page: "page", history: CommandHistory(kept: kept))
                restored.state = try throughJSON(recorder.state)
                restored.eventable = try restore(controller, in: make())
                (recorder, controller) = (restored, try #require(restored.eventable as? any BusinessLogicController))
            }
            clock.advance(by: step.delay)
            let declaration = try #require(declarations.first { $0.event == step.event })
            let (start, logic) = (recorder.history.sequence, controller)
            try await recorder.runEvent(declaration, checksValues: true, with: step.values) {
                try await logic.dispatchEvent(step.event)
            }
            outcome.undeclared += recorder.undeclared.map { $0.explanation(of: declaration) }
            for entry in recorder.history.current(since: start) {
                for given in declaration.gives where given.allows(entry.command, checksValues: true) {
                    outcome.unused.remove("\(declaration.event.name): \(given)")
                }
            }
        }
        outcome.history = Array(recorder.history.kept)
        return outcome
    }

    private func declarations<Controller: BusinessLogicController>(of _: Controller) -> [EventDeclaration] {
        Controller.events.declarations
    }

    private func restore<Controller: BusinessLogicController>(
        _ controller: Controller,
        in other: any BusinessLogicController
    ) throws -> Controller {
        let other = try #require(other as? Controller)
        other.state = try throughJSON(controller.state)
        return other
    }
}
