import BundledPages
import BusinessLogic
import Testing
import Understudy
import UnderstudyClient

@Suite struct RemoteDestinationTests {
    @Test func `the destination has the name and the values of the command, and the page that the service serves`()
        async throws
    {
        try await withService(Page.demo()) { transport in
            let screen = ResponseRecorder(page: "products")
            let products = RemoteEventable("products", in: RemoteSession(over: transport))
            screen.eventable = products
            try await screen.send("onStart")
            #expect(products.destination == nil)
            try await screen.send("onSelected", ["product": "Car"])
            let destination = try #require(products.destination)
            #expect(destination.name == "ProductDetail")
            #expect(destination.values == ["product": "Car"])
            #expect(destination.href == "/product")
            #expect(destination.page == "product")
        }
    }

    @Test func `the next event forgets the destination`() async throws {
        try await withService(Page.demo()) { transport in
            let screen = ResponseRecorder(page: "login")
            let login = RemoteEventable("login", in: RemoteSession(over: transport))
            screen.eventable = login
            try await screen.login(password: "bruce")
            #expect(login.destination?.page == "home")
            try await screen.login(password: "robin")
            #expect(login.destination == nil)
        }
    }

    @Test func `a screen of the app has no page`() async throws {
        let answer = #"""
            {"sequence":1,"commands":[{"sequence":1,"page":"login","command":"goToPage","name":"settings"}]}
            """#
        let screen = ResponseRecorder(page: "login")
        let login = RemoteEventable(
            "login",
            in: RemoteSession(StubTransport(.page, .token, RemoteResponse(200, answer)))
        )
        screen.eventable = login
        try await screen.send("pressed")
        #expect(login.destination?.name == "settings")
        #expect(login.destination?.href == nil)
        #expect(login.destination?.page == nil)
    }

    @Test func `the page of a path with a prefix is its last segment`() async throws {
        let answer = #"""
            {"sequence":1,"commands":[{"sequence":1,"page":"login","command":"goToPage","name":"Home","href":"/shop/home"}]}
            """#
        let screen = DestinationScreen()
        let login = RemoteEventable(
            "login",
            in: RemoteSession(StubTransport(.page, .token, RemoteResponse(200, answer)))
        )
        screen.eventable = login
        login.controllable = screen
        try await login.dispatchEvent("pressed")
        #expect(login.destination?.href == "/shop/home")
        #expect(screen.page == "home")
    }
}

/// A screen that asks its logic where to go when it receives `goToPage`.
private final class DestinationScreen: Controllable {
    var eventable: (any Eventable)?
    private(set) var page: String?

    func render(_ key: String, _ value: Value) {}
    func getValue(_ key: String) -> Value? { nil }

    func goToPage(_ name: String, _ values: Value.Object) {
        page = (eventable as? RemoteEventable)?.destination?.page
    }
}
