import BusinessLogic
import Testing
import UnderstudyTesting

@Suite struct EventableTests {
    private let controller = ProbeController()
    private let recorder = ResponseRecorder(page: "probe")

    init() {
        recorder.eventable = controller
        for (name, value) in ProbeController.everything { recorder.setValue(value, for: name) }
    }

    @Test func `an event whose fields are all there runs once`() async throws {
        try await recorder.dispatchEvent("everythingRead")
        #expect(controller.state == 1)
    }

    @Test func `an event that reads nothing needs no fields`() async throws {
        for (name, _) in ProbeController.everything { recorder.setValue(nil, for: name) }
        try await recorder.dispatchEvent("nothingRead")
        #expect(controller.state == 1)
    }

    @Test func `an event that fails is forgotten, and so are the commands that it has given`() async throws {
        try await recorder.dispatchEvent("everythingRead")
        await #expect(throws: Outage.self) { try await recorder.dispatchEvent("failed") }
        #expect(controller.state == 1)
        #expect(recorder.commands == [])
    }

    @Test func `an unknown event is refused with those that are known, and nothing runs`() async {
        await #expect(
            throws: EventError.unknownEvent(
                "buttonPressed",
                events: ["nothingRead", "everythingRead", "chattered", "alerted", "left", "failed"]
            )
        ) { try await recorder.dispatchEvent("buttonPressed") }
        #expect(controller.state == 0)
        #expect(recorder.commands == [])
    }

    @Test(arguments: ["text", "number", "boolean", "note", "pin"])
    func `an event of which a field is missing is refused, and nothing runs`(field: String) async {
        recorder.setValue(nil, for: field)
        await #expect(
            throws: EventError.missingField(field, fields: ["text", "number", "boolean", "note", "pin"])
        ) { try await recorder.dispatchEvent("everythingRead") }
        #expect(controller.state == 0)
        #expect(recorder.commands == [])
    }

    @Test(
        arguments: [
            ("text", 1, .string), ("text", .null, .string), ("number", "1", .number), ("boolean", 1, .boolean),
            ("note", true, .string), ("pin", ["0000"], .string), ("pin", ["0": "0"], .string),
        ] as [(String, Value, Field.Kind)]
    )
    func `an event of which a field is of another kind is refused, and nothing runs`(
        field: String,
        value: Value,
        expected: Field.Kind
    ) async {
        recorder.setValue(value, for: field)
        await #expect(
            throws: EventError.wrongFieldType(
                field,
                expected: expected,
                fields: ["text", "number", "boolean", "note", "pin"]
            )
        ) { try await recorder.dispatchEvent("everythingRead") }
        #expect(controller.state == 0)
        #expect(recorder.commands == [])
    }

    @Test func `a controller without a screen misses every field`() async {
        let lonely = ProbeController()
        await #expect(
            throws: EventError.missingField("text", fields: ["text", "number", "boolean", "note", "pin"])
        ) { try await lonely.dispatchEvent("everythingRead") }
        #expect(lonely.state == 0)
    }

    @Test func `what a collaborator throws reaches the caller that dispatched the event`() async {
        await #expect(throws: Outage()) { try await recorder.dispatchEvent("failed") }
        #expect(recorder.commands == [])
    }

    @Test func `a field's text is had only where it holds one`() {
        #expect(["text", "number", "note", "nowhere"].map(controller.text) == ["a", nil, nil, nil])
    }

    @Test func `a controller that remembers nothing has an empty state that can be put back`() throws {
        let presenter = ProductsPresenter(repository: ProductsRepository([]))
        presenter.state = try throughJSON(presenter.state)
        #expect(try json(presenter.state) == "{}")
    }
}

/// A controller's state is taken out, written as JSON, read and put into a fresh controller before every step.
extension EventableTests {
    @Test func `a login goes on in another process`() async throws {
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

    @Test func `a registration goes on in another process`() async throws {
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

    @Test func `a sign-up goes on in another process`() async throws {
        let scenario = Scenario(steps: [
            Scenario.Step("viewDidLoad"),
            Scenario.Step("nameChanged", ["name": "Lisa"]),
            Scenario.Step("emailChanged", ["email": "lisa@rules"]),
            Scenario.Step("passwordChanged", ["password": "password123"]),
            Scenario.Step("nameChanged", ["name": "Lisa"]),
            Scenario.Step("submitButtonPressed"),
            Scenario.Step("submitButtonPressed"),
            Scenario.Step("submitButtonPressed"),
            Scenario.Step("emailChanged", ["email": "lisa@rules.com"]),
            Scenario.Step("submitButtonPressed"),
        ])
        try await expect(
            scenario,
            toGive: [
                .render("submitButtonEnabled", false), .render("submitButtonEnabled", true),
                .showAlert(.signupUnsuccessful), .showAlert(.signupUnsuccessful), .showAlert(.tooManySignupAttempts),
                .render("submitButtonEnabled", false), .showAlert(.tooManySignupAttempts),
            ]
        ) { _ in SignupBusinessLogicController() }
    }

    @Test func `a product list goes on in another process`() async throws {
        let scenario = Scenario(steps: [
            Scenario.Step("onStart"),
            Scenario.Step("onSelected", ["product": "Book"]),
            Scenario.Step("onSelected", ["product": "Car"]),
        ])
        try await expect(
            scenario,
            toGive: [
                .render("title", "Products"), .render("loading", true),
                .render("products", [Product.car.value, Product.book.value]), .render("loading", false),
                .showAlert(.productWithoutDescription),
                .goToPage("ProductDetail", ["product": Product.car.value]),
            ]
        ) { _ in ProductsPresenter(repository: ProductsRepository([.car, .book])) }
    }

    @Test func `a product detail goes on in another process`() async throws {
        let scenario = Scenario(steps: [
            Scenario.Step("onStart", ["product": "Car"]),
            Scenario.Step("onStart", ["product": "Boat"]),
            Scenario.Step("onStart", ["product": "Book"]),
        ])
        try await expect(
            scenario,
            toGive: [
                .render("title", "Product"), .render("product", Product.car.value),
                .render("title", "Product"), .showAlert(.productNotValid),
                .render("title", "Product"), .render("product", Product.book.value),
            ]
        ) { _ in ProductDetailPresenter(repository: ProductsRepository([.car, .book])) }
    }

    @Test func `entering and saving an email address goes on in another process`() async throws {
        let scenario = Scenario(steps: [
            Scenario.Step("saveButtonPressed"),
            Scenario.Step("emailChanged", ["email": "lisa@rules"]),
            Scenario.Step("emailChanged", ["email": "lisa@rules.com"]),
            Scenario.Step("emailChanged", ["email": "lisa@rules.co"]),
            Scenario.Step("saveButtonPressed"),
            Scenario.Step("emailChanged", ["email": .null]),
            Scenario.Step("saveButtonPressed"),
        ])
        try await expect(
            scenario,
            toGive: [
                .render("saveButtonEnabled", false), .render("saveButtonEnabled", true), .goToPage("advance"),
                .render("saveButtonEnabled", false), .render("saveButtonEnabled", false),
            ]
        ) { _ in EmailBusinessLogicController() }
    }

    private func expect(
        _ scenario: Scenario,
        toGive commands: [Command],
        makeController: (SteeredClock) -> some BusinessLogicController
    ) async throws {
        let entries = zip(1..., commands).map { sequence, command in
            CommandHistory.Entry(sequence: sequence, page: "page", command: command)
        }
        #expect(try await scenario.history(movingHouse: false, makeController: makeController) == entries)
        #expect(try await scenario.history(movingHouse: true, makeController: makeController) == entries)
    }
}

/// The screen owns its logic, the logic does not own its screen.
extension EventableTests {
    @Test func `a login and its screen are freed`() async throws {
        try await expectNothingLeft(
            after: "loginButtonPressed",
            with: ["username": "batman", "password": "bruce"]
        ) {
            LoginBusinessLogicController(credentials: FixedCredentials(["batman": "bruce"]), clock: SteeredClock())
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
