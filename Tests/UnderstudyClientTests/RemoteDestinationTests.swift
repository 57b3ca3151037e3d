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
            let screen = screen("products", in: RemoteSession(over: transport))
            try await screen.send("onStart")
            #expect(screen.destination == nil)
            try await screen.send("onSelected", ["product": "Car"])
            let destination = try #require(screen.destination)
            #expect(destination.name == "ProductDetail")
            #expect(destination.values == ["product": "Car"])
            #expect(destination.href == "/product")
            #expect(destination.page == "product")
        }
    }

    @Test func `the next event forgets the destination`() async throws {
        try await withService(Page.demo()) { transport in
            let screen = screen("login", in: RemoteSession(over: transport))
            try await screen.login(password: "bruce")
            #expect(screen.destination?.page == "home")
            try await screen.login(password: "robin")
            #expect(screen.destination == nil)
        }
    }

    @Test func `a screen of the app has no page`() async throws {
        let answer = #"""
            {"sequence":1,"commands":[{"sequence":1,"page":"login","command":"goToPage","name":"settings"}]}
            """#
        let transport = StubTransport(.page, .token, RemoteResponse(200, answer))
        let screen = screen("login", in: RemoteSession(transport))
        try await screen.send("pressed")
        #expect(screen.destination?.name == "settings")
        #expect(screen.destination?.href == nil)
        #expect(screen.destination?.page == nil)
    }

    @Test func `the page of a path with a prefix is its last segment`() async throws {
        let answer = #"""
            {"sequence":1,"commands":[{"sequence":1,"page":"login","command":"goToPage","name":"Home","href":"/shop/home"}]}
            """#
        let transport = StubTransport(.page, .token, RemoteResponse(200, answer))
        let (screen, login) = (DestinationScreen(), RemoteEventable("login", in: RemoteSession(transport)))
        screen.eventable = login
        login.controllable = screen
        try await login.dispatchEvent("pressed")
        #expect(login.destination?.href == "/shop/home")
        #expect(screen.page == "home")
    }
}

extension ResponseRecorder {
    fileprivate var destination: RemoteDestination? { (eventable as? RemoteEventable)?.destination }
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
