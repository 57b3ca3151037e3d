import BundledControllers
import BundledPages
import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@Test func `the session lisa goes as it was recorded`() async throws {
    let session = RecordedSession(Page.bundled())

    // Event 1
    session.results = [.from("clock", 1795284662615), .from("credentials", nil), .from("clock", 1795284662615)]
    try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "erased"])
    session["login"].expect(
        .render("message", Message(code: "login.wrongCredentials", text: "Wrong username or password"))
    )

    // Event 2
    session.results = [.from("clock", 1795284662635), .from("credentials", ["username": "batman"])]
    try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "erased"])
    session["login"].expect(.goToPage("Home"))

    // Event 3
    session.results = [.from("userIDs", true)]
    try await session["register"].send("textFieldDidEndEditing", ["userID": "012345 678912"])
    session["register"].expect(.render("userID", "012345678912"), .render("errorMessage", nil))

    // Event 4
    session.results = []
    try await session["register"].send("textFieldDidEndEditing", ["userID": "12345"])
    session["register"].expect(
        .render("userID", nil),
        .render(
            "errorMessage",
            Message(
                code: "registration.invalidUserID",
                text: "A user ID has exactly twelve digits",
                parameters: ["digits": 12]
            )
        )
    )

    // Event 5
    try await session["signup"].send("passwordChanged", ["password": ""])
    session["signup"].expect(.render("submitButtonEnabled", false))

    // Event 6
    try await session["signup"].send(
        "submitButtonPressed",
        ["name": "Lisa", "email": "lisa@rules", "password": "erased"]
    )
    session["signup"].expect(.showAlert(Message(code: "signup.unsuccessful", text: "Unsuccessful")))

    // Event 7
    session.results = [.from("passwordPolicy", nil), .from("accounts", true)]
    try await session["signup"].send(
        "submitButtonPressed",
        ["name": "Lisa", "email": "lisa@rules.example", "password": "erased"]
    )
    session["signup"].expect(.showAlert(Message(code: "signup.successful", text: "Successful")))

    // Event 8
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

    // Event 9
    session.results = []
    try await session["products"].send("onSelected", ["product": "Car"])
    session["products"].expect(.goToPage("ProductDetail", ["product": "Car"]))

    // Event 10
    try await session["products"].send("onSelected", ["product": "Book"])
    session["products"].expect(
        .showAlert(Message(code: "products.withoutDescription", text: "Product without description"))
    )

    // Event 11
    session.results = [
        .from(
            "repository",
            [
                ["description": "A beautiful car", "image": "car", "name": "Car"],
                ["description": "", "image": "book", "name": "Book"],
            ]
        )
    ]
    try await session["product"].send("onStart", ["product": "Boat"])
    session["product"].expect(
        .render("title", "Product"),
        .showAlert(Message(code: "product.notValid", text: "Product not valid"))
    )

    // Event 12
    session.results = []
    try await session["email"].send("emailChanged", ["email": "lisa@rules.example"])
    session["email"].expect(.render("saveButtonEnabled", true))

    // Event 13
    session.results = [.from("personSaving", throws: CollaboratorError.unavailable(retryAfter: .milliseconds(1000)))]
    await #expect(throws: CollaboratorError.unavailable(retryAfter: .milliseconds(1000))) {
        try await session["email"].send("saveButtonPressed")
    }

    session.finish()
}
