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
            Scenario.Step("loginButtonPressed", wrong),
            Scenario.Step("loginButtonPressed", right),
            Scenario.Step("loginButtonPressed", wrong),
            Scenario.Step("loginButtonPressed", wrong, after: .seconds(60)),
            Scenario.Step("loginButtonPressed", wrong, after: .seconds(60)),
            Scenario.Step("loginButtonPressed", wrong, after: .seconds(60)),
            Scenario.Step("loginButtonPressed", wrong, after: .seconds(60)),
            Scenario.Step("loginButtonPressed", right),
            Scenario.Step("loginButtonPressed", right, after: .seconds(899)),
            Scenario.Step("loginButtonPressed", right, after: .seconds(1)),
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
            Scenario.Step("textFieldDidEndEditing", ["userID": " 012345 678912 "]),
            Scenario.Step("textFieldDidEndEditing", ["userID": "1"]),
            Scenario.Step("textFieldDidEndEditing", ["userID": .null]),
            Scenario.Step("textFieldDidEndEditing", ["userID": "012345678912"]),
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
            Scenario.Step("viewDidLoad"),
            Scenario.Step("nameChanged", ["name": "Lisa"]),
            Scenario.Step("emailChanged", ["email": "lisa@rules"]),
            Scenario.Step("passwordChanged", ["password": "password123"]),
            Scenario.Step("nameChanged", ["name": "Lisa"]),
            Scenario.Step("submitButtonPressed"),
            Scenario.Step("submitButtonPressed", ["name": ""]),
            Scenario.Step("submitButtonPressed", ["name": "Lisa"]),
            Scenario.Step("submitButtonPressed"),
            Scenario.Step("emailChanged", ["email": "lisa@rules.com"]),
            Scenario.Step("submitButtonPressed"),
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
            Scenario.Step("onStart"),
            Scenario.Step("onSelected", ["product": "Book"]),
            Scenario.Step("onSelected", ["product": "Car"]),
            Scenario.Step("onSelected", ["product": "Boat"]),
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

    @Test func `a product detail continues in another process`() async throws {
        let scenario = Scenario(steps: [
            Scenario.Step("onStart", ["product": "Car"]),
            Scenario.Step("onStart", ["product": "Boat"]),
            Scenario.Step("onStart", ["product": "Book"]),
        ])
        try await expect(
            scenario,
            toGive: [
                .render("title", "Product"), .render("product", Product.car.screenValue),
                .render("title", "Product"), .showAlert(.productNotValid),
                .render("title", "Product"), .render("product", Product.book.screenValue),
            ]
        ) { _ in ProductDetailPresenter(repository: ProductsRepository([.car, .book])) }
    }

    @Test func `entering and saving an email address continues in another process`() async throws {
        let scenario = Scenario(steps: [
            Scenario.Step("viewDidLoad"),
            Scenario.Step("saveButtonPressed"),
            Scenario.Step("emailChanged", ["email": "lisa@rules"]),
            Scenario.Step("emailChanged", ["email": "lisa@rules.com"]),
            Scenario.Step("emailChanged", ["email": "lisa@rules.co"]),
            Scenario.Step("saveButtonPressed"),
            Scenario.Step("viewDidLoad"),
            Scenario.Step("emailChanged", ["email": .null]),
            Scenario.Step("saveButtonPressed"),
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
