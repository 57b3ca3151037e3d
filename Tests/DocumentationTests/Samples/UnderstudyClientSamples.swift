import BundledControllers
import BundledPages
import BusinessLogic
import Foundation
import MicroHTTP
import Testing
import Understudy
import UnderstudyClient
import UnderstudyTesting

@Suite struct UnderstudyClientSamples {
    private typealias GuestbookController = BusinessLogicSamples.GuestbookController

    @Test func `a screen behaves the same with its logic on a server`() async throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.loops = 1
        let service = UnderstudyService(pages: [Page("guestbook") { _ in GuestbookController() }])
        let server = try Server(configuration: configuration, responder: service)
        let url = try #require(URL(string: "http://\(server.address)"))
        let screen = ResponseRecorder()

        let session = RemoteSession(url)
        screen.eventable = RemoteEventable("guestbook", in: session)
        screen.setValue("Lisa", for: "name")
        try await screen.dispatchEvent("signButtonPressed")
        #expect(screen.commands == [.render("greeting", "Welcome Lisa, you are guest 1")])

        await server.stop()
    }

    @Test func `one line decides where the logic runs`() async throws {
        let accounts = FixedCredentials(["batman": "bruce"])
        let session = RemoteSession(ServiceTransport(UnderstudyService(pages: Page.demo())))
        let screen = ResponseRecorder()
        var eventable: (any Eventable)? {
            didSet { screen.eventable = eventable }
        }

        eventable = LoginBusinessLogicController(credentials: accounts, clock: SystemClock())
        eventable = RemoteEventable("login", in: session)

        screen.setValue("batman", for: "username")
        screen.setValue("bruce", for: "password")
        try await eventable?.dispatchEvent("loginButtonPressed")
        #expect(screen.commands == [.goToPage("Home")])
        #expect(await session.state?.sequence == 1)
    }
}
