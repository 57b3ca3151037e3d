@testable import UnderstudyReplay

/// The bundled pages as a function.
struct ApplicationStepTests {
    let step = ApplicationStep(Page.bundled(loginLimit: LoginAttempts.Limit(failures: 2)))

    static let wrong = #""page":"login","values":{"username":"a","password":"b"}"#
    static let rejected = #""answers":[{"from":"credentials","answer":null}]"#

    /// Runs a step in the state of another one.
    func run(_ members: String, after output: Value.Object? = nil) async throws -> Value.Object {
        let state = output?["state"] ?? .null
        return try await step.run(ApplicationStep.read(#"{"state":\#(state),\#(members)}"#.bytes))
    }

    @Test func `a step gives the next state, the response and the calls`() async throws {
        let output = try await run(#"\#(Self.wrong),"clock":1000,\#(Self.rejected)"#)
        #expect(output["ok"] == false)
        #expect(
            output["commands"] == [
                [
                    "command": "render", "key": "message", "value": "Wrong username or password",
                    "code": "login.wrongCredentials",
                ]
            ]
        )
        #expect(output["user"] == .null)
        #expect(output["calls"] == ["clock", "credentials", "clock"])
        #expect(output["missing"] == nil)
        #expect(output["state"]?["pages"]?.array?.count == 1)
    }

    @Test func `a step continues with the state of another one, at the clock's time`() async throws {
        let first = try await run(#"\#(Self.wrong),"clock":1000,\#(Self.rejected)"#)
        let second = try await run(#"\#(Self.wrong),"clock":2000,\#(Self.rejected)"#, after: first)
        #expect(second["commands"] == first["commands"])
        #expect(second["state"] != first["state"])
        let third = try await run(#"\#(Self.wrong),"clock":901999,\#(Self.rejected)"#, after: second)
        #expect(third["commands"]?.array?.first?["code"] == "login.tooManyAttempts")
        #expect(third["calls"] == ["clock"])
        let user = #""answers":[{"from":"credentials","answer":{"username":"a"}}]"#
        let later = try await run(#"\#(Self.wrong),"clock":902000,\#(user)"#, after: second)
        #expect(later["user"] == ["username": "a"])
        let home = try await run(#""page":"home","event":"viewDidLoad""#, after: later)
        #expect(home["commands"]?.array?.first?["value"] == "a")
    }

    @Test func `a description contains results with times at the clock, and a day later`() async throws {
        let examples = ResultExamples("holdSlot") { now in [now + .seconds(120), nil] }
        let program = ApplicationStep([Page("form", resultExamples: [examples]) { _ in FormController() }])
        let page = try await program.send(["describe": true, "clock": 1000])()["pages"]?.array?.first
        #expect(page?["results"] == ["holdSlot": [121_000, nil]])
        #expect(page?["resultsDayLater"] == ["holdSlot": [86_521_000, nil]])
    }

    @Test func `equal states have equal texts, whatever led to them`() async throws {
        let input = #""page":"register","values":{"userID":"1"}"#
        let first = try await run(input)
        let between = try await run(#""page":"register","values":{"userID":"012345678912"}"#, after: first)
        let second = try await run(input, after: between)
        #expect(between["state"]?.json != first["state"]?.json)
        #expect(second["state"]?.json == first["state"]?.json)
    }

    @Test func `a collaborator without a result is named`() async throws {
        let output = try await run(#""page":"products""#)
        #expect(output["missing"] == "repository")
        #expect(output["failure"] == ["code": "other"])
        #expect(output["state"] == (try await run(#""page":"products","event":"unknown""#))["state"])
    }

    @Test func `a rejected request gives a problem, and leaves the state as it was`() async throws {
        let first = try await run(#""page":"register","values":{"userID":"1"}"#)
        let output = try await run(#""page":"register","values":{"userID":1}"#, after: first)
        #expect(output["problem"]?["code"] == "wrongFieldType")
        #expect(output["state"] == first["state"])
        #expect(output["calls"] == [])
    }

    @Test func `a line of a recording is a step`() async throws {
        let line = """
            {"page":"login","event":"loginButtonPressed","values":{"username":"batman"},"erased":["password"],"answers":[\
            {"from":"clock","answer":1},{"from":"credentials","answer":{"username":"batman"}}],"commands":[]}
            """
        let output = try await step.run(ApplicationStep.read(line.bytes))
        #expect(output["commands"] == [["command": "goToPage", "name": "Home", "href": "/home"]])
        #expect(output["user"] == ["username": "batman"])
    }

    @Test(arguments: [
        ("", "The line is not JSON"), ("[]", "The line is not an object."), ("{}", "'page' is not one of: 'login', "),
        (#"{"page":"garage"}"#, "'page' is not one of: 'login', "),
        (step(#""vlaues":{},"valid":1"#), "The member 'vlaues' is not one of: 'page', 'event', 'values', "),
        (step(#""values":1"#), "'values' is not an object"), (step(#""erased":1"#), "'values' is not an object"),
        (step(#""answers":[1]"#), "'answers' is not an array of objects"),
        (step(#""answers":{}"#), "'answers' is not an array of objects"),
        (step(#""clock":"now""#), "'clock' is not a number of milliseconds"),
        (step(#""clock":9223372036854775807"#), "'clock' is not a number of milliseconds"),
        (step(#""state":1"#), "'state' is not an object."),
        (step(#""state":{}"#), "\(foreignState): a member is missing, or has another type"),
        (step(#""state":{"values":{},"pages":[{"page":"login","version":1,"state":"1",\#(recorder)}]}"#), foreignState),
    ])
    func `a line that is no step is an error that says why`(line: String, reason: String) async throws {
        let error = await #expect(throws: ApplicationStep.Malformed.self) {
            _ = try await step.run(ApplicationStep.read(line.bytes))
        }
        #expect(error?.description.hasPrefix(reason) == true, "\(String(describing: error))")
    }

    static let foreignState = "'state' is not one that a step of this program has returned"
    static let recorder = #""recorder":{"rendered":{},"messages":[],"values":{}}"#

    static func step(_ members: String) -> String { #"{"page":"login",\#(members)}"# }
}
