import Addresses
import Testing
import TestSupport
import UnderstudyTesting

@Suite struct LoginBusinessLogicControllerTests {
    private let credentials = CredentialCheck { username, password, _ in
        if username == "robin" { throw Outage() }
        return username == "batman" && password == "bruce" ? User(username: "batman") : nil
    }
    private let clock = ManualClock()
    private let session = StubIdentity()
    private let recorder = ResponseRecorder(page: "login")

    init() {
        recorder.eventable = LoginBusinessLogicController(credentials: credentials, clock: clock, identity: session)
    }

    private func enter(_ password: String, as username: String = "batman", times: Int = 1) async throws {
        recorder.setValue(.string(username), for: "username")
        recorder.setValue(.string(password), for: "password")
        for _ in 0..<times { try await recorder.dispatchEvent("loginButtonPressed") }
    }

    // MARK: How many attempts, and when

    /// What a client does, and what the page gives.
    private struct Attempts: CustomTestStringConvertible {
        enum Step {
            case enter(String, as: String = "batman", times: Int = 1)
            case wait(Duration)
        }

        let testDescription: String
        let steps: [Step]
        let commands: [Command]

        init(_ testDescription: String, _ steps: [Step], gives commands: [Command]) {
            self.testDescription = testDescription
            self.steps = steps
            self.commands = commands
        }
    }

    private static let blocked = Command.showAlert(.tooManyLoginAttempts)
    private static let home = Command.goToPage("Home")

    private static func wrong(_ count: Int) -> [Command] {
        Array(repeating: .render("message", .wrongCredentials), count: count)
    }

    @Test(arguments: [
        Attempts(
            "a password of another user, an empty one and any other one are wrong",
            [.enter("bruce", as: "joker"), .enter(""), .enter("joker")],
            gives: wrong(3)
        ),
        Attempts("the sixth wrong password is blocked", [.enter("joker", times: 6)], gives: wrong(5) + [blocked]),
        Attempts(
            "the fifth attempt can still succeed, and a success resets the count",
            [.enter("joker", times: 4), .enter("bruce"), .enter("joker", times: 6)],
            gives: wrong(4) + [home] + wrong(5) + [blocked]
        ),
        Attempts(
            "the sixth attempt is blocked even with the correct password",
            [.enter("joker", times: 5), .enter("bruce")],
            gives: wrong(5) + [blocked]
        ),
        Attempts(
            "failures with different usernames count together",
            ["batman", "joker", "penguin", "riddler", "catwoman", "batman"].map { .enter("guess", as: $0) },
            gives: wrong(5) + [blocked]
        ),
        Attempts(
            "a login is possible again exactly 15 minutes after the last counted failure",
            [
                .enter("joker", times: 4), .wait(.seconds(60)), .enter("joker"), .wait(.milliseconds(899_999)),
                .enter("bruce"), .wait(.milliseconds(1)), .enter("bruce"),
            ],
            gives: wrong(5) + [blocked, home]
        ),
        Attempts(
            "after the clock was set back, a login is possible again 15 minutes after the next attempt",
            [
                .enter("joker", times: 5), .wait(.seconds(-3600)), .enter("bruce"), .wait(.milliseconds(899_999)),
                .enter("bruce"), .wait(.milliseconds(1)), .enter("bruce"),
            ],
            gives: wrong(5) + [blocked, blocked, home]
        ),
        Attempts(
            "blocked attempts do not count and do not extend the wait",
            [
                .enter("joker", times: 5), .wait(.seconds(14 * 60)), .enter("joker", times: 3), .wait(.seconds(60)),
                .enter("joker", times: 6),
            ],
            gives: wrong(5) + [blocked, blocked, blocked] + wrong(5) + [blocked]
        ),
        Attempts(
            "fewer than five failures cause no wait and are not forgotten",
            [.enter("joker", times: 4), .wait(.seconds(24 * 60 * 60)), .enter("joker", times: 2)],
            gives: wrong(5) + [blocked]
        ),
    ])
    private func `five failures block the login for 15 minutes`(attempts: Attempts) async throws {
        for step in attempts.steps {
            switch step {
            case .enter(let password, let username, let times): try await enter(password, as: username, times: times)
            case .wait(let duration): clock.advance(by: duration)
            }
        }
        recorder.expect(attempts.commands)
    }

    @Test func `the limit can be configured`() async throws {
        recorder.eventable = LoginBusinessLogicController(
            credentials: credentials,
            clock: clock,
            limit: LoginAttempts.Limit(failures: 2, interval: .seconds(10))
        )
        try await enter("joker", times: 3)
        clock.advance(by: .seconds(10))
        try await enter("bruce")
        recorder.expect(Self.wrong(2) + [Self.blocked, Self.home])
    }

    @Test func `an error of the check is rethrown and does not count as an attempt`() async throws {
        try await enter("joker", times: 4)
        for _ in 1...3 {
            await #expect(throws: Outage()) { try await enter("anything", as: "robin") }
        }
        try await enter("joker", times: 2)
        recorder.expect(Self.wrong(5) + [Self.blocked])
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
        recorder.expect(Self.wrong(5) + [Self.blocked])
    }

    @Test func `a login sets the identity's user, whom a failed login of another user keeps`() async throws {
        try await enter("bruce")
        #expect(session.user == User(username: "batman"))
        try await enter("joker", as: "joker")
        #expect(session.user == User(username: "batman"))
        recorder.expect([Self.home] + Self.wrong(1))
    }

    @Test func `the state contains neither the username nor the password`() async throws {
        let controller = LoginBusinessLogicController(credentials: credentials, clock: clock)
        recorder.eventable = controller
        try await enter("joker")
        #expect(try json(controller.state) == #"{"failures":1,"lastFailure":1700000000000}"#)
    }

    @Test func `the check of credentials gets the client's context`() async throws {
        let identity = StubIdentity(ClientContext(address: IPAddress("203.0.113.7"), requestID: "r"))
        recorder.eventable = LoginBusinessLogicController(
            credentials: CredentialCheck { username, _, client in
                client.address == IPAddress("203.0.113.7") ? User(username: username, id: client.requestID) : nil
            },
            clock: clock,
            identity: identity
        )
        try await enter("anything")
        #expect(identity.user == User(username: "batman", id: "r"))
    }
}
