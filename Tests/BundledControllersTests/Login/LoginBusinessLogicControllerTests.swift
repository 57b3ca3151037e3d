import Addresses
import BundledControllers
import BusinessLogic
import Testing
import TestSupport
import UnderstudyTesting

@Suite struct LoginBusinessLogicControllerTests {
    /// Accepts batman / bruce, and throws for robin.
    private struct Credentials: CredentialChecking {
        func authenticate(username: String, password: String, for client: ClientContext) throws -> User? {
            if username == "robin" { throw Outage() }
            return username == "batman" && password == "bruce" ? User(username: "batman") : nil
        }
    }

    /// Records the users who log in.
    private final class Session: Identity {
        var user: User?
    }

    private let clock = ManualClock()
    private let session = Session()
    private let recorder = ResponseRecorder(page: "login")

    private let wrong = Command.render("message", .wrongCredentials)
    private let blocked = Command.showAlert(.tooManyLoginAttempts)
    private let home = Command.goToPage("Home")

    init() {
        recorder.eventable = LoginBusinessLogicController(credentials: Credentials(), clock: clock, identity: session)
    }

    private func enter(_ password: String, as username: String = "batman", times: Int = 1) async throws {
        recorder.setValue(.string(username), for: "username")
        recorder.setValue(.string(password), for: "password")
        for _ in 0..<times { try await recorder.dispatchEvent("loginButtonPressed") }
    }

    @Test func `a wrong password renders a message`() async throws {
        try await enter("joker")
        #expect(recorder.commands == [.render("message", .wrongCredentials)])
        #expect(recorder.rendered == ["message": "Wrong username or password"])
    }

    @Test func `the sixth wrong password shows the alert about too many attempts`() async throws {
        try await enter("joker", times: 6)
        #expect(recorder.commands == [wrong, wrong, wrong, wrong, wrong, blocked])
        #expect(
            recorder.alert?.text == "You have exceeded the maximum number of attempts, please try after sometime."
        )
    }

    @Test(arguments: [("joker", "bruce"), ("batman", ""), ("batman", "joker")])
    func `a password of another user, an empty one and any other one are wrong`(
        username: String,
        password: String
    ) async throws {
        try await enter(password, as: username)
        #expect(recorder.commands == [wrong])
        #expect(recorder.rendered == ["message": "Wrong username or password"])
    }

    @Test func `the fifth attempt can still succeed`() async throws {
        try await enter("joker", times: 4)
        try await enter("bruce")
        #expect(recorder.commands == [wrong, wrong, wrong, wrong, home])
    }

    @Test func `a successful login resets the count`() async throws {
        try await enter("joker", times: 4)
        try await enter("bruce")
        try await enter("joker", times: 6)
        #expect(
            recorder.commands == [wrong, wrong, wrong, wrong, home, wrong, wrong, wrong, wrong, wrong, blocked]
        )
    }

    @Test func `the sixth attempt shows the alert even with the correct password`() async throws {
        try await enter("joker", times: 5)
        try await enter("bruce")
        #expect(recorder.commands == [wrong, wrong, wrong, wrong, wrong, blocked])
        #expect(session.user == nil)
    }

    @Test func `failures with different usernames count together`() async throws {
        for username in ["batman", "joker", "penguin", "riddler", "catwoman", "batman"] {
            try await enter("guess", as: username)
        }
        #expect(recorder.commands == [wrong, wrong, wrong, wrong, wrong, blocked])
    }

    @Test func `a login is possible again exactly 15 minutes after the last counted failure`() async throws {
        for _ in 1...5 {
            clock.advance(by: .seconds(60))
            try await enter("joker")
        }
        clock.advance(by: .milliseconds(15 * 60 * 1000 - 1))
        try await enter("bruce")
        clock.advance(by: .milliseconds(1))
        try await enter("bruce")
        #expect(recorder.commands == [wrong, wrong, wrong, wrong, wrong, blocked, home])
    }

    @Test func `after the clock was set back, a login is possible again 15 minutes after the next attempt`()
        async throws
    {
        try await enter("joker", times: 5)
        clock.advance(by: .seconds(-3600))
        try await enter("bruce")
        clock.advance(by: .milliseconds(15 * 60 * 1000 - 1))
        try await enter("bruce")
        clock.advance(by: .milliseconds(1))
        try await enter("bruce")
        #expect(recorder.commands == [wrong, wrong, wrong, wrong, wrong, blocked, blocked, home])
    }

    @Test func `blocked attempts do not count and do not extend the wait`() async throws {
        try await enter("joker", times: 5)
        clock.advance(by: .seconds(14 * 60))
        try await enter("joker", times: 3)
        clock.advance(by: .seconds(60))
        try await enter("joker", times: 6)
        recorder.expect([
            wrong, wrong, wrong, wrong, wrong, blocked, blocked, blocked,
            wrong, wrong, wrong, wrong, wrong, blocked,
        ])
    }

    @Test func `fewer than five failures cause no wait and are not forgotten`() async throws {
        try await enter("joker", times: 4)
        clock.advance(by: .seconds(24 * 60 * 60))
        try await enter("joker", times: 2)
        #expect(recorder.commands == [wrong, wrong, wrong, wrong, wrong, blocked])
    }

    @Test func `the limit can be configured`() async throws {
        recorder.eventable = LoginBusinessLogicController(
            credentials: Credentials(),
            clock: clock,
            limit: LoginAttempts.Limit(failures: 2, interval: .seconds(10))
        )
        try await enter("joker", times: 3)
        clock.advance(by: .seconds(10))
        try await enter("bruce")
        #expect(recorder.commands == [wrong, wrong, blocked, home])
    }

    @Test func `an error of the check is rethrown and does not count as an attempt`() async throws {
        try await enter("joker", times: 4)
        for _ in 1...3 {
            await #expect(throws: Outage()) { try await enter("anything", as: "robin") }
        }
        try await enter("joker", times: 2)
        #expect(recorder.commands == [wrong, wrong, wrong, wrong, wrong, blocked])
    }

    @Test(arguments: ["username", "password"])
    func `a missing field is rejected by name and does not count as an attempt`(field: String) async throws {
        try await enter("joker", times: 4)
        recorder.setValue(nil, for: field)
        for _ in 1...3 {
            await #expect(throws: EventError.missingField(field, fields: ["username", "password"])) {
                try await recorder.dispatchEvent("loginButtonPressed")
            }
        }
        try await enter("joker", times: 2)
        #expect(recorder.commands == [wrong, wrong, wrong, wrong, wrong, blocked])
    }

    @Test func `a login sets the identity's user`() async throws {
        try await enter("bruce")
        #expect(session.user == User(username: "batman"))
        #expect(recorder.commands == [home])
    }

    @Test func `a failed login of another user keeps the logged-in user`() async throws {
        try await enter("bruce")
        try await enter("joker")
        #expect(session.user == User(username: "batman"))
        #expect(recorder.commands == [home, wrong])
    }

    @Test func `the state contains neither the username nor the password`() async throws {
        let controller = LoginBusinessLogicController(credentials: Credentials(), clock: clock)
        recorder.eventable = controller
        try await enter("joker")
        #expect(try json(controller.state) == #"{"failures":1,"lastFailure":1700000000000}"#)
    }

    @Test func `the check of credentials gets the client's context`() async throws {
        /// Accepts users from one address.
        struct AddressCheck: CredentialChecking {
            func authenticate(username: String, password: String, for client: ClientContext) -> User? {
                client.address == IPAddress("203.0.113.7") ? User(username: username, id: client.requestID) : nil
            }
        }
        let identity = IdentityStub(ClientContext(address: IPAddress("203.0.113.7"), requestID: "r"))
        recorder.eventable = LoginBusinessLogicController(
            credentials: AddressCheck(),
            clock: clock,
            identity: identity
        )
        try await enter("anything")
        #expect(identity.user == User(username: "batman", id: "r"))
    }
}
