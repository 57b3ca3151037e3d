@testable import BundledControllers
import BusinessLogic
import TestSupport
import Testing
import UnderstudyTesting

/// Before every step, a controller's state is encoded as JSON and restored in a new controller.
@Suite struct RestoredControllerTests {
    @Test func `the empty state of a controller without state can be restored`() throws {
        let presenter = ProductDetailPresenter(repository: ProductsRepository([]))
        presenter.state = try throughJSON(presenter.state)
        #expect(try json(presenter.state) == "{}")
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

    @Test func `a login continues in another process`() async throws {
        let wrong: Value.Object = ["username": "batman", "password": "joker"]
        let right: Value.Object = ["username": "batman", "password": "bruce"]
        let scenario = Scenario(steps: [
            .init("loginButtonPressed", wrong),
            .init("loginButtonPressed", right),
            .init("loginButtonPressed", wrong),
            .init("loginButtonPressed", wrong, after: .seconds(60)),
            .init("loginButtonPressed", wrong, after: .seconds(60)),
            .init("loginButtonPressed", wrong, after: .seconds(60)),
            .init("loginButtonPressed", wrong, after: .seconds(60)),
            .init("loginButtonPressed", right),
            .init("loginButtonPressed", right, after: .seconds(899)),
            .init("loginButtonPressed", right, after: .seconds(1)),
        ])
        try await expect(
            scenario,
            toGive: [.render("message", .wrongCredentials), .goToPage("Home")]
                + Array(repeating: .render("message", .wrongCredentials), count: 5)
                + [.showAlert(.tooManyLoginAttempts), .showAlert(.tooManyLoginAttempts), .goToPage("Home")]
        ) {
            LoginBusinessLogicController(credentials: FixedCredentials(["batman": "bruce"]), clock: $0)
        }
    }

    @Test func `a registration continues in another process`() async throws {
        let scenario = Scenario(steps: [
            .init("textFieldDidEndEditing", ["userID": " 012345 678912 "]),
            .init("textFieldDidEndEditing", ["userID": "1"]),
            .init("textFieldDidEndEditing", ["userID": .null]),
            .init("textFieldDidEndEditing", ["userID": "012345678912"]),
        ])
        try await expect(
            scenario,
            toGive: [
                .render("userID", "012345678912"), .render("errorMessage", .null),
                .render("userID", .null), .render("errorMessage", .invalidUserID),
                .render("userID", .null), .render("errorMessage", .invalidUserID),
                .render("userID", "012345678912"), .render("errorMessage", .null),
            ]
        ) { _ in RegistrationBusinessLogicController() }
    }

    @Test func `a sign-up continues in another process`() async throws {
        let scenario = Scenario(steps: [
            .init("viewDidLoad"),
            .init("nameChanged", ["name": "Lisa"]),
            .init("emailChanged", ["email": "lisa@rules"]),
            .init("passwordChanged", ["password": "password123"]),
            .init("nameChanged", ["name": "Lisa"]),
            .init("submitButtonPressed"),
            .init("submitButtonPressed", ["name": ""]),
            .init("submitButtonPressed", ["name": "Lisa"]),
            .init("submitButtonPressed"),
            .init("emailChanged", ["email": "lisa@rules.com"]),
            .init("submitButtonPressed"),
        ])
        try await expect(
            scenario,
            toGive: [
                .render("submitButtonEnabled", false), .render("submitButtonEnabled", true),
                .showAlert(.signupUnsuccessful),
                .render("message", .signupIncomplete), .render("submitButtonEnabled", false),
                .render("message", .null), .render("submitButtonEnabled", true), .showAlert(.signupUnsuccessful),
                .showAlert(.tooManySignupAttempts),
                .render("submitButtonEnabled", false), .showAlert(.tooManySignupAttempts),
            ]
        ) { _ in SignupBusinessLogicController() }
    }

    @Test func `a product list continues in another process`() async throws {
        let scenario = Scenario(steps: [
            .init("onStart"),
            .init("onSelected", ["product": "Book"]),
            .init("onSelected", ["product": "Car"]),
            .init("onSelected", ["product": "Boat"]),
        ])
        try await expect(
            scenario,
            toGive: [
                .render("title", "Products"), .render("loading", true),
                .render("products", [Product.car.screenValue, Product.book.screenValue]), .render("loading", false),
                .showAlert(.productWithoutDescription),
                .goToPage("ProductDetail", ["product": "Car"]), .showAlert(.unknownProduct),
            ]
        ) { _ in ProductsPresenter(repository: ProductsRepository([.car, .book])) }
    }

    @Test func `entering and saving an email address continues in another process`() async throws {
        let scenario = Scenario(steps: [
            .init("viewDidLoad"),
            .init("saveButtonPressed"),
            .init("emailChanged", ["email": "lisa@rules"]),
            .init("emailChanged", ["email": "lisa@rules.com"]),
            .init("emailChanged", ["email": "lisa@rules.co"]),
            .init("saveButtonPressed"),
            .init("viewDidLoad"),
            .init("emailChanged", ["email": .null]),
            .init("saveButtonPressed"),
        ])
        try await expect(
            scenario,
            toGive: [
                .render("saveButtonEnabled", false), .render("message", .invalidEmail),
                .render("saveButtonEnabled", false), .render("message", .null), .render("saveButtonEnabled", true),
                .goToPage("advance"), .render("saveButtonEnabled", true), .render("email", "lisa@rules.co"),
                .render("saveButtonEnabled", false), .render("message", .invalidEmail),
                .render("saveButtonEnabled", false),
            ]
        ) { _ in EmailBusinessLogicController() }
    }

    private func expect(
        _ scenario: Scenario,
        toGive commands: [Command],
        makeController: (ManualClock) -> some BusinessLogicController
    ) async throws {
        let entries = zip(1..., commands).map { sequence, command in
            CommandHistory.Entry(sequence: sequence, page: "page", command: command)
        }
        #expect(try await scenario.history(isRestored: false, makeController: makeController) == entries)
        #expect(try await scenario.history(isRestored: true, makeController: makeController) == entries)
    }
}
