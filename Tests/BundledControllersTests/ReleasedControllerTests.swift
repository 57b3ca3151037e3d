import BundledControllers
import BusinessLogic
import TestSupport
import Testing
import UnderstudyTesting

/// A screen owns its controller, and a controller does not own its screen.
@Suite struct ReleasedControllerTests {
    @Test func `a login and its screen are freed`() async throws {
        try await expectNothingLeft(
            after: "loginButtonPressed",
            with: ["username": "batman", "password": "bruce"]
        ) {
            LoginBusinessLogicController(credentials: FixedCredentials(["batman": "bruce"]), clock: ManualClock())
        }
    }

    @Test func `a registration and its screen are freed`() async throws {
        try await expectNothingLeft(after: "textFieldDidEndEditing", with: ["userID": "1"]) {
            RegistrationBusinessLogicController()
        }
    }

    @Test func `a sign-up and its screen are freed`() async throws {
        try await expectNothingLeft(after: "viewDidLoad") { SignupBusinessLogicController() }
    }

    @Test func `a product list and its screen are freed`() async throws {
        try await expectNothingLeft(after: "onStart") { ProductsPresenter(repository: ProductsRepository([.car])) }
    }

    @Test func `a product detail and its screen are freed`() async throws {
        try await expectNothingLeft(after: "onStart", with: ["product": "Car"]) {
            ProductDetailPresenter(repository: ProductsRepository([.car]))
        }
    }

    @Test func `an email page and its screen are freed`() async throws {
        try await expectNothingLeft(after: "emailChanged", with: ["email": "lisa@rules.com"]) {
            EmailBusinessLogicController()
        }
    }

    @Test func `a home page and its screen are freed`() async throws {
        try await expectNothingLeft(after: "viewDidLoad") { HomeBusinessLogicController(identity: IdentityStub()) }
    }

    private func expectNothingLeft(
        after event: Event,
        with values: Value.Object = [:],
        makeController: () -> some BusinessLogicController
    ) async throws {
        weak var screenLeft: ResponseRecorder?
        weak var logicLeft: (any Eventable)?
        do {
            let screen = ResponseRecorder()
            let logic = makeController()
            screen.eventable = logic
            for (name, value) in values { screen.setValue(value, for: name) }
            try await screen.dispatchEvent(event)
            #expect(!screen.commands.isEmpty)
            (screenLeft, logicLeft) = (screen, logic)
        }
        #expect(screenLeft == nil)
        #expect(logicLeft == nil)
    }
}
