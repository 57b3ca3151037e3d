import BundledControllers
import BusinessLogic
import Testing
import UnderstudyTesting

@Suite struct HomeBusinessLogicControllerTests {
    private let identity = StubIdentity(ClientContext(user: User(username: "batman", id: "1")))
    private let screen: TestControllable

    init() {
        screen = TestControllable(HomeBusinessLogicController(identity: identity), identity: identity)
    }

    @Test func `a logged-in user sees their name`() async throws {
        try await screen.send("viewDidLoad")
        screen.expect(HomeBusinessLogicController.username, "batman")
        #expect(screen.rendered == ["username": "batman"])
    }

    @Test func `without a logged-in user, the page leads to the login`() async throws {
        identity.user = nil
        try await screen.send("viewDidLoad")
        screen.expect(.goToPage("login"))
        let alone = TestControllable(HomeBusinessLogicController())
        try await alone.send("viewDidLoad")
        alone.expect(.goToPage("login"))
    }

    @Test(arguments: [
        ("productsButtonPressed", "products"), ("registerButtonPressed", "register"), ("emailButtonPressed", "email"),
    ])
    func `each button leads to its page`(event: String, page: String) async throws {
        try await screen.send(Event(event))
        screen.expect(.goToPage(page))
        #expect(identity.user?.username == "batman")
    }

    @Test func `logging out ends the login and leads to the login page`() async throws {
        try await screen.send("viewDidLoad")
        screen.expect(.render("username", "batman"))
        try await screen.send("logoutButtonPressed")
        screen.expect(.goToPage(.login))
        #expect(identity.user == nil)
        try await screen.send("viewDidLoad")
        screen.expect(.goToPage("login"))
    }
}
