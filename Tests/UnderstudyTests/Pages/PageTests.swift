import BundledPages
import BusinessLogic
import HTTPMessages
import TestSupport
import Testing

@testable import Understudy
@testable import UnderstudyPages

/// An embedder's page, registered like the bundled ones.
@Suite struct PageTests {
    private static let description = #"""
        "events":[
          {"event":"entered","default":true,"reads":["age","agrees","name","pin"],"secret":["pin"]},
          {"event":"noted","default":false,"reads":["note"],"secret":[]},
          {"event":"signed","default":false,"reads":["note"],"secret":[]}]
        """#

    @Test func `a page lists each of its fields once`() {
        let page = FormController.page
        #expect(page.name == "form")
        #expect(page.fields.map(\.name) == ["age", "agrees", "name", "pin", "note"])
        #expect(page.fields.map(\.schema.jsonType) == [.number, .boolean, .string, .string, .string])
        #expect(page.fields.filter(\.isSecret).map(\.name) == ["pin"])
        // A field is optional if it is optional for one event.
        #expect(page.fields.filter(\.schema.isOptional).map(\.name) == ["note"])
    }

    @Test(arguments: Transport.allCases)
    func `an embedder's page is served like a bundled one`(transport: Transport) async throws {
        let service = UnderstudyService(pages: Page.demo() + [FormController.page])
        try await transport.run(service) { client in
            try expect(
                screen: await client.get("/form"),
                is: #"""
                    {"page":"form","sequence":0,"rendered":{},"alert":null,"goToPage":null,"values":{},
                     \#(Self.description)}
                    """#
            )
            try await client.post("/login", form: "username=batman&password=bruce")
            try expect(
                await client.post("/form", #"{"age":41.5,"agrees":true,"name":"Lisa","pin":"0000"}"#),
                is: #"""
                    {"sequence":4,"ok":true,"commands":[
                      {"sequence":2,"page":"form","command":"render","key":"age","value":41.5},
                      {"sequence":3,"page":"form","command":"render","key":"agrees","value":true},
                      {"sequence":4,"page":"form","command":"render","key":"name","value":"Lisa"}]}
                    """#
            )
            try expect(
                screen: await client.get("/form"),
                is: #"""
                    {"page":"form","sequence":4,"rendered":{"age":41.5,"agrees":true,"name":"Lisa"},
                     "alert":null,"goToPage":null,"values":{"age":41.5,"agrees":true,"name":"Lisa"},
                     \#(Self.description)}
                    """#
            )
            #expect(try await client.get("/session/history")["sequence"] == 4)
            let unknown = try await client.get("/nowhere")
            #expect(
                try unknown["pages"]
                    == ["login", "home", "register", "signup", "products", "product", "email", "form"]
            )
        }
    }

    @Test(
        arguments: [
            ("0", 0), ("41", 41), ("-7", -7), ("41.5", 41.5), ("9223372036854775807", .number(.integer(.max))),
        ] as [(String, Value)]
    )
    func `a number is read from a form`(text: String, number: Value) async throws {
        let answer = try await enter("age=\(text)&agrees=true&name=1&pin=0")
        let commands = try #require(try answer["commands"]?.array)
        #expect(commands.compactMap { $0.object?["value"] } == [number, true, "1"])
    }

    @Test(arguments: [("true", true), ("false", false), ("on", true)])
    func `a boolean is read from a form`(text: String, boolean: Bool) async throws {
        let answer = try await enter("age=1&agrees=\(text)&name=true&pin=0")
        let commands = try #require(try answer["commands"]?.array)
        #expect(commands.compactMap { $0.object?["value"] } == [1, .boolean(boolean), "true"])
    }

    @Test(arguments: [
        ("", "age"), ("x", "age"), ("1x", "age"), ("01", "age"), ("%2B1", "age"), ("NaN", "age"), ("1e400", "age"),
        ("true", "age"), ("%221%22", "age"), ("null", "age"), ("0x10", "age"), ("1,5", "age"), ("", "agrees"),
        ("1", "agrees"),
        ("True", "agrees"), ("yes", "agrees"), ("On", "agrees"), ("off", "agrees"), ("null", "agrees"),
        ("%20true", "agrees"),
    ])
    func `a form field that is neither a number nor a boolean is rejected`(text: String, field: String) async throws {
        let answer = try await enter(
            field == "age" ? "age=\(text)&agrees=true&name=a&pin=0" : "age=1&agrees=\(text)&name=a&pin=0"
        )
        try expect(answer, 422, "wrongFieldType")
        #expect(try answer["field"] == .string(field))
    }

    private func enter(_ form: String) async throws -> Answer {
        let service = UnderstudyService(pages: [FormController.page])
        return try await TestClient(service).post("/form", form: form)
    }

    // MARK: Programming errors

    @Test func `a page with an invalid name stops the program`() async {
        await #expect(processExitsWith: .failure) { _ = Page("") { _ in FormController() } }
        await #expect(processExitsWith: .failure) { _ = Page("a/b") { _ in FormController() } }
        await #expect(processExitsWith: .failure) { _ = Page("a.b") { _ in FormController() } }
        await #expect(processExitsWith: .failure) { _ = Page("\u{E9}") { _ in FormController() } }
        await #expect(processExitsWith: .failure) { _ = Page("session") { _ in FormController() } }
        await #expect(processExitsWith: .failure) { _ = Page("validate") { _ in FormController() } }
    }

    @Test func `a page that is registered twice stops the program with its name`() async throws {
        let end = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = UnderstudyService(pages: [CountingController.page, FormController.page, FormController.page])
        }
        #expect(
            String(decoding: end.standardErrorContent, as: UTF8.self).contains("the page 'form' is registered twice")
        )
    }

    @Test func `a destination that leads to two pages stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = Pages([Page("first") { _ in FirstController() }, Page("second") { _ in SecondController() }])
        }
    }

    private final class FirstController: BusinessLogicController {
        static let events: EventTable<FirstController> = [
            .default("go", gives: [.goes(to: Destination<Void>("next", page: "first"))]) { _ in }
        ]
        typealias State = NoState
        weak var controllable: (any Controllable)?
    }

    private final class SecondController: BusinessLogicController {
        static let events: EventTable<SecondController> = [
            .default("go", gives: [.goes(to: Destination<Void>("next", page: "second"))]) { _ in }
        ]
        typealias State = NoState
        weak var controllable: (any Controllable)?
    }

    @Test func `a field with a name of the wire format stops the program`() async {
        await #expect(processExitsWith: .failure) { _ = Page("page") { _ in EventFieldController() } }
        await #expect(processExitsWith: .failure) { _ = Page("page") { _ in TwoKindsController() } }
    }

    private final class EventFieldController: BusinessLogicController {
        static let events: EventTable<EventFieldController> = [
            .default("go", reads: Field<String>("event")) { _, _ in }
        ]
        typealias State = NoState
        weak var controllable: (any Controllable)?
    }

    private final class TwoKindsController: BusinessLogicController {
        static let events: EventTable<TwoKindsController> = [
            .default("go", reads: Field<String>("a")) { _, _ in },
            .event("stay", reads: Field<Double>("a")) { _, _ in },
        ]
        typealias State = NoState
        weak var controllable: (any Controllable)?
    }
}
