import BundledControllers
import BundledPages
import BusinessLogic
import Testing
import UnderstudyTesting

@testable import Understudy

@Suite struct LoginPageTests {
    private let clock = ManualClock()

    private var service: UnderstudyService {
        let credentials = FixedCredentials(["batman": "bruce"])
        return UnderstudyService(pages: Page.bundled(credentials: credentials, clock: clock))
    }

    private static let events = #"""
        [{"event":"loginButtonPressed","default":true,"reads":["username","password"],"secret":["password"]}]
        """#

    @Test(arguments: Transport.allCases)
    func `a wrong password renders a message, the right one leads Home`(transport: Transport) async throws {
        try await transport.play(service) { client in
            try expect(
                await client.get("/login"),
                is: #"""
                    {"page":"login","sequence":0,"rendered":{},"alert":null,"goToPage":null,"values":{},
                     "events":\#(Self.events)}
                    """#
            )
            #expect(client.cookie == nil)
            try expect(
                await client.post("/login", form: "username=batman&password=joker"),
                is: #"""
                    {"sequence":1,"commands":[
                      {"sequence":1,"page":"login","command":"render","key":"message",
                       "value":"Wrong username or password","code":"login.wrongCredentials"}]}
                    """#
            )
            try expect(
                await client.get("/login"),
                is: #"""
                    {"page":"login","sequence":1,"rendered":{"message":"Wrong username or password"},
                     "alert":null,"goToPage":null,"values":{"username":"batman"},"events":\#(Self.events)}
                    """#
            )
            // The name is kept, the password is not.
            #expect(try await client.post("/login", "{}").code == "missingField")
            try expect(
                await client.post("/login", #"{"password":"bruce"}"#),
                is: #"""
                    {"sequence":2,"commands":[{"sequence":2,"page":"login","command":"goToPage","name":"Home"}]}
                    """#
            )
            try expect(
                await client.get("/login"),
                is: #"""
                    {"page":"login","sequence":2,"rendered":{"message":"Wrong username or password"},
                     "alert":null,"goToPage":{"name":"Home"},"values":{"username":"batman"},
                     "events":\#(Self.events)}
                    """#
            )
        }
    }

    @Test(arguments: Transport.allCases)
    func `after five failures an alert is shown for a quarter of an hour`(transport: Transport) async throws {
        try await transport.play(service) { client in
            for sequence in 1...5 {
                try expect(
                    await client.post("/login", #"{"username":"batman","password":"joker"}"#),
                    is: #"""
                        {"sequence":\#(sequence),"commands":[
                          {"sequence":\#(sequence),"page":"login","command":"render","key":"message",
                           "value":"Wrong username or password","code":"login.wrongCredentials"}]}
                        """#
                )
            }
            clock.advance(by: .seconds(15 * 60) - .milliseconds(1))
            try expect(
                await client.post("/login", #"{"password":"bruce"}"#),
                is: #"""
                    {"sequence":6,"commands":[
                      {"sequence":6,"page":"login","command":"showAlert",
                       "message":"You have exceeded the maximum number of attempts, please try after sometime.",
                       "code":"login.tooManyAttempts"}]}
                    """#
            )
            try expect(
                await client.get("/login"),
                is: #"""
                    {"page":"login","sequence":6,"rendered":{"message":"Wrong username or password"},
                     "alert":{"message":
                       "You have exceeded the maximum number of attempts, please try after sometime.",
                       "code":"login.tooManyAttempts"},
                     "goToPage":null,"values":{"username":"batman"},"events":\#(Self.events)}
                    """#
            )
            clock.advance(by: .milliseconds(1))
            try expect(
                await client.post("/login", #"{"password":"bruce"}"#),
                is: #"""
                    {"sequence":7,"commands":[{"sequence":7,"page":"login","command":"goToPage","name":"Home"}]}
                    """#
            )
        }
    }

    @Test func `a limit of one's own counts`() async throws {
        let service = UnderstudyService(
            pages: Page.bundled(clock: clock, loginLimit: LoginAttempts.Limit(failures: 1, interval: .seconds(10)))
        )
        let client = TestClient(service)
        let codes = [
            try await client.post("/login", form: "username=a&password=b"),
            try await client.post("/login", form: "username=a&password=b"),
        ]
        #expect(
            try codes.map { try $0["commands"]?.array?.first?.object?["code"] } == [
                "login.wrongCredentials", "login.tooManyAttempts",
            ]
        )
    }
}
