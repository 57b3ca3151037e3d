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
