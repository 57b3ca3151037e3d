import BundledControllers
import BundledPages
import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@Test func `the session login lockEnded render message login allowed goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    session.results = [.from("clock", 1900000000123), .from("credentials", nil)]
    try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
    session["login"].expect(
        .render("message", Message(code: "login.wrongCredentials", text: "Wrong username or password"))
    )

    // Event 2
    session.results = [.from("clock", 1900000000123), .from("credentials", nil)]
    try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
    session["login"].expect(
        .render("message", Message(code: "login.wrongCredentials", text: "Wrong username or password"))
    )

    // Event 3
    session.results = [.from("clock", 1900000000123), .from("credentials", nil)]
    try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
    session["login"].expect(
        .render("message", Message(code: "login.wrongCredentials", text: "Wrong username or password"))
    )

    // Event 4
    session.results = [.from("clock", 1900000000123), .from("credentials", nil)]
    try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
    session["login"].expect(
        .render("message", Message(code: "login.wrongCredentials", text: "Wrong username or password"))
    )

    // Event 5
    session.results = [.from("clock", 1900000000123), .from("credentials", nil)]
    try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
    session["login"].expect(
        .render("message", Message(code: "login.wrongCredentials", text: "Wrong username or password"))
    )

    // Event 6
    session.results = []
    try await session["login"].update("lockEnded")
    session["login"].expect(.render("message", Message(code: "login.allowed", text: "You can log in again")))

    session.finish()
}

@Test func `the session login loginButtonPressed render message login wrongCredentials goes as it was recorded`()
    async throws
{
    let session = RecordedSession(Page.bundled())

    // Event 1
    session.results = [.from("clock", 1900000000123), .from("credentials", nil)]
    try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
    session["login"].expect(
        .render("message", Message(code: "login.wrongCredentials", text: "Wrong username or password"))
    )

    session.finish()
}

@Test func `the session login loginButtonPressed showAlert login tooManyAttempts goes as it was recorded`() async throws
{
    let session = RecordedSession(Page.bundled())

    // Event 1
    session.results = [.from("clock", 1900000000123), .from("credentials", nil)]
    try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
    session["login"].expect(
        .render("message", Message(code: "login.wrongCredentials", text: "Wrong username or password"))
    )

    // Event 2
    session.results = [.from("clock", 1900000000123), .from("credentials", nil)]
    try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
    session["login"].expect(
        .render("message", Message(code: "login.wrongCredentials", text: "Wrong username or password"))
    )

    // Event 3
    session.results = [.from("clock", 1900000000123), .from("credentials", nil)]
    try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
    session["login"].expect(
        .render("message", Message(code: "login.wrongCredentials", text: "Wrong username or password"))
    )

    // Event 4
    session.results = [.from("clock", 1900000000123), .from("credentials", nil)]
    try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
    session["login"].expect(
        .render("message", Message(code: "login.wrongCredentials", text: "Wrong username or password"))
    )

    // Event 5
    session.results = [.from("clock", 1900000000123), .from("credentials", nil)]
    try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
    session["login"].expect(
        .render("message", Message(code: "login.wrongCredentials", text: "Wrong username or password"))
    )

    // Event 6
    session.results = [.from("clock", 1900000000123)]
    try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
    session["login"].expect(
        .showAlert(
            Message(
                code: "login.tooManyAttempts",
                text: "You have exceeded the maximum number of attempts, please try after sometime."
            )
        )
    )

    session.finish()
}

@Test
func
    `the session register textFieldDidEndEditing render errorMessage registration userIDTaken goes as it was recorded`()
    async throws
{
    let session = RecordedSession(Page.bundled())

    // Event 1
    session.results = [.from("clock", 1900000000123), .from("credentials", ["username": "batman"])]
    try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
    session["login"].expect(.goToPage("Home"))

    // Event 2
    session.results = [.from("userIDs", false)]
    try await session["register"].send("textFieldDidEndEditing", ["userID": "012345 678912"])
    session["register"].expect(
        .render("userID", nil),
        .render(
            "errorMessage",
            Message(code: "registration.userIDTaken", text: "This user ID belongs to another account")
        )
    )

    session.finish()
}

@Test func `the session signup emailChanged render message goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    try await session["signup"].send("submitButtonPressed", ["name": "Lisa", "email": nil, "password": "maggie"])
    session["signup"].expect(
        .render("message", Message(code: "signup.incomplete", text: "Fill in this field")),
        .render("submitButtonEnabled", false)
    )

    // Event 2
    try await session["signup"].send("emailChanged", ["email": "lisa@rules.example"])
    session["signup"].expect(.render("message", nil), .render("submitButtonEnabled", true))

    session.finish()
}

@Test func `the session signup emailChanged render submitButtonEnabled goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    try await session["signup"].send("emailChanged", ["email": "lisa@rules.example"])
    session["signup"].expect(.render("submitButtonEnabled", false))

    session.finish()
}

@Test func `the session signup nameChanged render message goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    try await session["signup"].send(
        "submitButtonPressed",
        ["name": nil, "email": "lisa@rules.example", "password": "maggie"]
    )
    session["signup"].expect(
        .render("message", Message(code: "signup.incomplete", text: "Fill in this field")),
        .render("submitButtonEnabled", false)
    )

    // Event 2
    try await session["signup"].send("nameChanged", ["name": "Lisa"])
    session["signup"].expect(.render("message", nil), .render("submitButtonEnabled", true))

    session.finish()
}

@Test func `the session signup nameChanged render submitButtonEnabled goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    try await session["signup"].send("nameChanged", ["name": "Lisa"])
    session["signup"].expect(.render("submitButtonEnabled", false))

    session.finish()
}

@Test func `the session signup passwordChanged render message goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    try await session["signup"].send(
        "submitButtonPressed",
        ["name": "Lisa", "email": "lisa@rules.example", "password": nil]
    )
    session["signup"].expect(
        .render("message", Message(code: "signup.incomplete", text: "Fill in this field")),
        .render("submitButtonEnabled", false)
    )

    // Event 2
    session.results = [.from("passwordPolicy", nil)]
    try await session["signup"].send("passwordChanged", ["password": "maggie"])
    session["signup"].expect(.render("message", nil), .render("submitButtonEnabled", true))

    session.finish()
}

@Test func `the session signup passwordChanged render passwordMessage goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    session.results = [
        .from(
            "passwordPolicy",
            ["code": "signup.passwordMissing", "field": "password", "text": "A password is needed"]
        )
    ]
    try await session["signup"].send("passwordChanged", ["password": "maggie"])
    session["signup"].expect(
        .render("passwordMessage", Message(code: "signup.passwordMissing", text: "A password is needed")),
        .render("submitButtonEnabled", false)
    )

    // Event 2
    session.results = [.from("passwordPolicy", nil)]
    try await session["signup"].send("passwordChanged", ["password": "maggie"])
    session["signup"].expect(.render("passwordMessage", nil))

    session.finish()
}

@Test func `the session signup passwordChanged render submitButtonEnabled goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    session.results = [.from("passwordPolicy", nil)]
    try await session["signup"].send("passwordChanged", ["password": "maggie"])
    session["signup"].expect(.render("submitButtonEnabled", false))

    session.finish()
}

@Test func `the session signup submitButtonPressed render message signup incomplete goes as it was recorded`()
    async throws
{
    let session = RecordedSession(Page.bundled())

    // Event 1
    try await session["signup"].send(
        "submitButtonPressed",
        ["name": nil, "email": "lisa@rules.example", "password": "maggie"]
    )
    session["signup"].expect(
        .render("message", Message(code: "signup.incomplete", text: "Fill in this field")),
        .render("submitButtonEnabled", false)
    )

    session.finish()
}

@Test func `the session signup submitButtonPressed render passwordMessage goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    session.results = [
        .from(
            "passwordPolicy",
            ["code": "signup.passwordMissing", "field": "password", "text": "A password is needed"]
        )
    ]
    try await session["signup"].send("passwordChanged", ["password": "maggie"])
    session["signup"].expect(
        .render("passwordMessage", Message(code: "signup.passwordMissing", text: "A password is needed")),
        .render("submitButtonEnabled", false)
    )

    // Event 2
    session.results = [.from("passwordPolicy", nil), .from("accounts", true)]
    try await session["signup"].send(
        "submitButtonPressed",
        ["name": "Lisa", "email": "lisa@rules.example", "password": "maggie"]
    )
    session["signup"].expect(
        .render("passwordMessage", nil),
        .showAlert(Message(code: "signup.successful", text: "Successful"))
    )

    session.finish()
}

@Test func `the session signup submitButtonPressed render submitButtonEnabled goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    session.results = [
        .from(
            "passwordPolicy",
            ["code": "signup.passwordMissing", "field": "password", "text": "A password is needed"]
        )
    ]
    try await session["signup"].send(
        "submitButtonPressed",
        ["name": "Lisa", "email": "lisa@rules.example", "password": "maggie"]
    )
    session["signup"].expect(
        .render("passwordMessage", Message(code: "signup.passwordMissing", text: "A password is needed")),
        .render("submitButtonEnabled", false)
    )

    session.finish()
}

@Test func `the session signup submitButtonPressed showAlert signup successful goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    session.results = [.from("passwordPolicy", nil), .from("accounts", true)]
    try await session["signup"].send(
        "submitButtonPressed",
        ["name": "Lisa", "email": "lisa@rules.example", "password": "maggie"]
    )
    session["signup"].expect(.showAlert(Message(code: "signup.successful", text: "Successful")))

    session.finish()
}

@Test func `the session signup submitButtonPressed showAlert signup tooManyAttempts goes as it was recorded`()
    async throws
{
    let session = RecordedSession(Page.bundled())

    // Event 1
    try await session["signup"].send(
        "submitButtonPressed",
        ["name": "Lisa", "email": "lisa@rules", "password": "maggie"]
    )
    session["signup"].expect(.showAlert(Message(code: "signup.unsuccessful", text: "Unsuccessful")))

    // Event 2
    try await session["signup"].send(
        "submitButtonPressed",
        ["name": "Lisa", "email": "lisa@rules", "password": "maggie"]
    )
    session["signup"].expect(.showAlert(Message(code: "signup.unsuccessful", text: "Unsuccessful")))

    // Event 3
    try await session["signup"].send(
        "submitButtonPressed",
        ["name": "Lisa", "email": "lisa@rules", "password": "maggie"]
    )
    session["signup"].expect(
        .showAlert(Message(code: "signup.tooManyAttempts", text: "Too Many Attempts")),
        .render("submitButtonEnabled", false)
    )

    session.finish()
}

@Test func `the session signup submitButtonPressed showAlert signup unsuccessful goes as it was recorded`() async throws
{
    let session = RecordedSession(Page.bundled())

    // Event 1
    try await session["signup"].send(
        "submitButtonPressed",
        ["name": "Lisa", "email": "lisa@rules", "password": "maggie"]
    )
    session["signup"].expect(.showAlert(Message(code: "signup.unsuccessful", text: "Unsuccessful")))

    session.finish()
}

@Test func `the session signup viewDidLoad render submitButtonEnabled goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    try await session["signup"].send("viewDidLoad")
    session["signup"].expect(.render("submitButtonEnabled", false))

    session.finish()
}

@Test func `the session products onSelected showAlert products unknown goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    session.results = [.from("repository", [])]
    try await session["products"].send("onSelected", ["product": "Car"])
    session["products"].expect(.showAlert(Message(code: "products.unknown", text: "Unknown product")))

    session.finish()
}

@Test func `the session products onSelected showAlert products withoutDescription goes as it was recorded`()
    async throws
{
    let session = RecordedSession(Page.bundled())

    // Event 1
    session.results = [
        .from(
            "repository",
            [
                ["description": "A beautiful car", "image": "car", "name": "Car"],
                ["description": "", "image": "book", "name": "Book"],
            ]
        )
    ]
    try await session["products"].send("onSelected", ["product": "Book"])
    session["products"].expect(
        .showAlert(Message(code: "products.withoutDescription", text: "Product without description"))
    )

    session.finish()
}

@Test func `the session products onStart showAlert products unavailable goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    session.results = [.from("repository", [])]
    try await session["products"].send("onStart")
    session["products"].expect(
        .render("title", "Products"),
        .render("loading", true),
        .showAlert(Message(code: "products.unavailable", text: "No products available")),
        .render("loading", false)
    )

    session.finish()
}

@Test func `the session products productsChanged render products goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    session.results = [
        .from(
            "repository",
            [
                ["description": "A beautiful car", "image": "car", "name": "Car"],
                ["description": "", "image": "book", "name": "Book"],
            ]
        )
    ]
    try await session["products"].send("onStart")
    session["products"].expect(
        .render("title", "Products"),
        .render("loading", true),
        .render(
            "products",
            [
                ["name": "Car", "description": "A beautiful car", "image": "car"],
                ["name": "Book", "description": "", "image": "book"],
            ]
        ),
        .render("loading", false)
    )

    // Event 2
    session.results = [
        .from(
            "repository",
            [
                ["description": "A beautiful car", "image": "car", "name": "Car"],
                ["description": "", "image": "book", "name": "Book"],
            ]
        )
    ]
    try await session["products"].update("productsChanged")
    session["products"].expect(
        .render(
            "products",
            [
                ["name": "Car", "description": "A beautiful car", "image": "car"],
                ["name": "Book", "description": "", "image": "book"],
            ]
        )
    )

    session.finish()
}

@Test func `the session email saveButtonPressed render message email invalid goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    try await session["email"].send("saveButtonPressed")
    session["email"].expect(
        .render("message", Message(code: "email.invalid", text: "This is not an email address")),
        .render("saveButtonEnabled", false)
    )

    session.finish()
}

@Test func `the session email saveButtonPressed showAlert email notLoggedIn goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    try await session["email"].send("emailChanged", ["email": "lisa@rules.example"])
    session["email"].expect(.render("saveButtonEnabled", true))

    // Event 2
    session.results = [.from("personSaving", false)]
    try await session["email"].send("saveButtonPressed")
    session["email"].expect(.showAlert(Message(code: "email.notLoggedIn", text: "Log in to save your email address")))

    session.finish()
}

@Test func `the session email viewDidLoad render email goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    session.results = [.from("personSaving", "lisa@rules.example")]
    try await session["email"].send("viewDidLoad")
    session["email"].expect(.render("saveButtonEnabled", false), .render("email", "lisa@rules.example"))

    session.finish()
}
