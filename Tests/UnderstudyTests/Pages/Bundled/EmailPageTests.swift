import BundledControllers
import BundledPages
import BusinessLogic
import Testing

@testable import Understudy

@Suite struct EmailPageTests {
    /// Keeps the addresses that it is asked to save; one of them it cannot save.
    private actor Store: PersonSaving {
        private(set) var saved: [String] = []

        func save(email: String, for client: ClientContext) throws {
            if email == "chris@gmail.com" { throw CollaboratorError.unavailable(retryAfter: .seconds(5)) }
            saved.append(email)
        }
    }

    private static let events = #"""
        [{"event":"emailChanged","default":true,"reads":["email"],"secret":[]},
         {"event":"saveButtonPressed","default":false,"reads":[],"secret":[]}]
        """#

    private static func enabled(_ isEnabled: Bool, _ sequence: Int) throws -> Value {
        try json(
            #"""
            {"sequence":\#(sequence),"commands":[
              {"sequence":\#(sequence),"page":"email","command":"render","key":"saveButtonEnabled","value":\#(isEnabled)}]}
            """#
        )
    }

    @Test(arguments: Transport.allCases)
    func `a valid address can be saved and no other`(transport: Transport) async throws {
        let store = Store()
        try await transport.play(UnderstudyService(pages: Page.bundled(personSaving: store))) { client in
            try expect(
                await client.get("/email"),
                is: #"""
                    {"page":"email","sequence":0,"rendered":{},"alert":null,"goToPage":null,"values":{},
                     "events":\#(Self.events)}
                    """#
            )
            #expect(try await client.post("/email", form: "email=lisa@rules").json == Self.enabled(false, 1))
            try expect(await client.post("/email", form: "email=lisa@rule"), is: #"{"sequence":1,"commands":[]}"#)
            #expect(try await client.post("/email", form: "event=saveButtonPressed").json == Self.enabled(false, 2))
            #expect(try await client.post("/email", form: "email=lisa%40rules.com").json == Self.enabled(true, 3))
            #expect(await store.saved == [])
            try expect(
                await client.post("/email", #"{"event":"saveButtonPressed"}"#),
                is: #"{"sequence":4,"commands":[{"sequence":4,"page":"email","command":"goToPage","name":"advance"}]}"#
            )
            #expect(await store.saved == ["lisa@rules.com"])
            try expect(
                await client.get("/email"),
                is: #"""
                    {"page":"email","sequence":4,"rendered":{"saveButtonEnabled":true},"alert":null,
                     "goToPage":{"name":"advance"},"values":{"email":"lisa@rules.com"},"events":\#(Self.events)}
                    """#
            )
            #expect(try await client.post("/email", #"{"email":null}"#).json == Self.enabled(false, 5))
            // The destination is the last event's.
            try expect(
                await client.get("/email"),
                is: #"""
                    {"page":"email","sequence":5,"rendered":{"saveButtonEnabled":false},"alert":null,
                     "goToPage":null,"values":{"email":null},"events":\#(Self.events)}
                    """#
            )
        }
    }

    @Test(arguments: Transport.allCases)
    func `where an address cannot be saved now it can be tried again`(transport: Transport) async throws {
        let store = Store()
        try await transport.play(UnderstudyService(pages: Page.bundled(personSaving: store))) { client in
            try await client.post("/email", #"{"email":"chris@gmail.com"}"#)
            let answer = try await client.post("/email", #"{"event":"saveButtonPressed"}"#)
            #expect(answer.status == 503)
            #expect(try answer.code == "unavailable")
            #expect(answer.header("Retry-After") == "5")
            #expect(try await client.get("/email")["sequence"] == 1)
            try await client.post("/email", #"{"email":"lisa@rules.com"}"#)
            try await client.post("/email", #"{"event":"saveButtonPressed"}"#)
            #expect(await store.saved == ["lisa@rules.com"])
        }
    }
}
