import BundledControllers
import BusinessLogic
import TestSupport
import Testing
import UnderstudyTesting

/// A screen owns its controller, and a controller does not own its screen.
@Suite struct ReleasedControllerTests {
    private struct Row: CustomTestStringConvertible {
        let event: Event
        var values: Value.Object = [:]
        let make: @Sendable () -> any BusinessLogicController

        var testDescription: String { "\(make())" }
    }

    @Test(arguments: [
        Row(event: "loginButtonPressed", values: ["username": "batman", "password": "bruce"]) {
            LoginBusinessLogicController(credentials: FixedCredentials(["batman": "bruce"]), clock: ManualClock())
        },
        Row(event: "textFieldDidEndEditing", values: ["userID": "1"]) { RegistrationBusinessLogicController() },
        Row(event: "viewDidLoad") { SignupBusinessLogicController() },
        Row(event: "onStart") { ProductsPresenter(repository: ProductsRepository([.car])) },
        Row(event: "onStart", values: ["product": "Car"]) {
            ProductDetailPresenter(repository: ProductsRepository([.car]))
        },
        Row(event: "emailChanged", values: ["email": "lisa@rules.com"]) { EmailBusinessLogicController() },
        Row(event: "viewDidLoad") { HomeBusinessLogicController(identity: IdentityStub()) },
    ])
    private func `a controller and its screen are freed after an event`(row: Row) async throws {
        weak var screenLeft: ResponseRecorder?
        weak var logicLeft: (any Eventable)?
        do {
            let screen = ResponseRecorder()
            let logic = row.make()
            screen.eventable = logic
            for (name, value) in row.values { screen.setValue(value, for: name) }
            try await screen.dispatchEvent(row.event)
            #expect(!screen.commands.isEmpty)
            (screenLeft, logicLeft) = (screen, logic)
        }
        #expect(screenLeft == nil)
        #expect(logicLeft == nil)
    }
}
