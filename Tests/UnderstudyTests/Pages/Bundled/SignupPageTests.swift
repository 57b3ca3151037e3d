import BundledControllers
import BundledPages
import BusinessLogic
import Testing

@testable import Understudy

@Suite struct SignupPageTests {
    private static let events = #"""
        [{"event":"viewDidLoad","default":false,"reads":[],"secret":[]},
         {"event":"nameChanged","default":false,"reads":["name"],"secret":[]},
         {"event":"emailChanged","default":false,"reads":["email"],"secret":[]},
         {"event":"passwordChanged","default":false,"reads":["password"],"secret":["password"]},
         {"event":"submitButtonPressed","default":true,"reads":["name","email","password"],"secret":["password"]}]
        """#

    private static func enabled(_ isEnabled: Bool, _ sequence: Int) -> String {
        #"""
        {"sequence":\#(sequence),"page":"signup","command":"render","key":"submitButtonEnabled","value":\#(isEnabled)}
        """#
    }

    private static func alert(_ message: String, _ code: String, _ sequence: Int) -> String {
        #"""
        {"sequence":\#(sequence),"page":"signup","command":"showAlert","message":"\#(message)","code":"\#(code)"}
        """#
    }

    private func expectCommands(
        _ answer: Answer,
        _ sequence: Int,
        _ commands: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(
            try answer.json == json(#"{"sequence":\#(sequence),"commands":[\#(commands.joined(separator: ","))]}"#),
            sourceLocation: sourceLocation
        )
    }

    @Test(arguments: Transport.allCases)
    func `the submit button is enabled as long as all three have been given`(transport: Transport) async throws {
        try await transport.play(UnderstudyService(pages: Page.bundled())) { client in
            try expect(
                await client.get("/signup"),
                is: #"""
                    {"page":"signup","sequence":0,"rendered":{},"alert":null,"goToPage":null,"values":{},
                     "events":\#(Self.events)}
                    """#
            )
            try expectCommands(await client.post("/signup", form: "event=viewDidLoad"), 1, Self.enabled(false, 1))
            try expectCommands(await client.post("/signup", form: "event=nameChanged&name=Lisa"), 1)
            try expectCommands(
                await client.post("/signup", #"{"event":"passwordChanged","values":{"password":"x"}}"#),
                1
            )
            try expectCommands(
                await client.post("/signup", form: "event=emailChanged&email=lisa"),
                2,
                Self.enabled(true, 2)
            )
            try expectCommands(await client.post("/signup", form: "event=emailChanged&email=lisa@rules.com"), 2)
            try expect(
                await client.get("/signup"),
                is: #"""
                    {"page":"signup","sequence":2,"rendered":{"submitButtonEnabled":true},"alert":null,
                     "goToPage":null,"values":{"name":"Lisa","email":"lisa@rules.com"},"events":\#(Self.events)}
                    """#
            )
            try expectCommands(
                await client.post("/signup", #"{"event":"nameChanged","values":{"name":null}}"#),
                3,
                Self.enabled(false, 3)
            )
            #expect(try await client.get("/signup")["values"] == ["name": nil, "email": "lisa@rules.com"])
            try expectCommands(
                await client.post("/signup", form: "event=nameChanged&name=L"),
                4,
                Self.enabled(true, 4)
            )
            try expectCommands(
                await client.post("/signup", form: "event=passwordChanged&password="),
                5,
                Self.enabled(false, 5)
            )
        }
    }

    @Test(arguments: Transport.allCases)
    func `three unsuccessful attempts are too many for good`(transport: Transport) async throws {
        let (unsuccessful, tooMany) = ("signup.unsuccessful", "signup.tooManyAttempts")
        try await transport.play(UnderstudyService(pages: Page.bundled())) { client in
            let form = "name=Lisa&email=lisa@rules&password=x"
            try expectCommands(
                await client.post("/signup", form: form),
                1,
                Self.alert("Unsuccessful", unsuccessful, 1)
            )
            try expect(
                await client.get("/signup"),
                is: #"""
                    {"page":"signup","sequence":1,"rendered":{},
                     "alert":{"message":"Unsuccessful","code":"signup.unsuccessful"},"goToPage":null,
                     "values":{"name":"Lisa","email":"lisa@rules"},"events":\#(Self.events)}
                    """#
            )
            // The alert is the last event's.
            try expectCommands(await client.post("/signup", form: "event=viewDidLoad"), 2, Self.enabled(false, 2))
            #expect(try await client.get("/signup")["alert"] == .null)
            try expectCommands(
                await client.post("/signup", #"{"password":"x"}"#),
                3,
                Self.alert("Unsuccessful", unsuccessful, 3)
            )
            try expectCommands(
                await client.post("/signup", form: form),
                5,
                Self.alert("Too Many Attempts", tooMany, 4),
                Self.enabled(false, 5)
            )
            try expectCommands(
                await client.post("/signup", form: "name=Lisa&email=lisa@rules.com&password=x"),
                6,
                Self.alert("Too Many Attempts", tooMany, 6)
            )
            try expectCommands(await client.post("/signup", form: "event=nameChanged&name=L"), 6)
            #expect(try await client.get("/signup")["rendered"] == ["submitButtonEnabled": false])
        }
    }

    @Test(arguments: Transport.allCases)
    func `a valid email address is successful`(transport: Transport) async throws {
        try await transport.play(UnderstudyService(pages: Page.bundled())) { client in
            for sequence in 1...4 {
                try expectCommands(
                    await client.post("/signup", form: "name=Lisa&email=lisa%40rules.com&password=x"),
                    sequence,
                    Self.alert("Successful", "signup.successful", sequence)
                )
            }
        }
    }
}
