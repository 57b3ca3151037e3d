import TestSupport

@testable import UnderstudyReplay

struct PageGraphTests {
    @Test func `three unsuccessful sign-ups are three states`() async throws {
        let graph = try await PageGraph(of: page("signup"), events: ["submitButtonPressed"])
        #expect(graph.states.map(\.members["unsuccessfulAttempts"]) == [0, 0, 1, 2, 3])
        #expect(graph.states.last?.rendered == ["submitButtonEnabled": false])
        let last = graph.transitions.suffix(2)
        #expect(last.map(\.target) == [4, 4])
        #expect(last.map(\.commands) == [[.showAlert(.tooManySignupAttempts)], [.showAlert(.tooManySignupAttempts)]])
    }

    @Test(arguments: Page.demo().map(\.name)) func `a page gives the same graph every time`(name: String) async throws {
        let graph = try await PageGraph(of: page(name))
        #expect(try await PageGraph(of: page(name)) == graph)
        #expect(!graph.isCut)
        #expect(graph.states.count <= 24)
        #expect(graph.transitions.map(\.source) == graph.transitions.map(\.source).sorted())
    }

    @Test func `messages that a page shows are one state, in any order`() async throws {
        let account = try #require(Page.accounts().first { $0.name == "account" })
        let shown = try await PageGraph(of: account).states.compactMap { $0.members["shownMessages"]?.array }
        #expect(shown.contains { $0.count > 1 })
        #expect(shown.allSatisfy { $0.compactMap(\.string) == $0.compactMap(\.string).sorted() })
    }

    @Test func `the diagram of an unbounded page is cut at the limits`() async throws {
        let byStates = try await PageGraph(of: CountingController.page, events: ["count"], depth: 9, states: 3)
        #expect(byStates.states.map(\.members["state"]) == [0, 1, 2])
        #expect(byStates.isCut)
        let byDepth = try await PageGraph(of: CountingController.page, events: ["count"], depth: 1, states: 9)
        #expect(byDepth.states.map(\.members["state"]) == [0, 1])
        #expect(byDepth.transitions.map(\.target) == [1, nil])
    }

    @Test func `an event without examples gets values of the declared kinds`() async throws {
        let graph = try await PageGraph(of: FormController.page, events: ["entered"])
        #expect(graph.transitions.first?.values == ["age": 1, "agrees": true, "name": "text", "pin": "text"])
        #expect(graph.states.map(\.rendered) == [[:], ["age": 1, "agrees": true, "name": "text"]])
    }

    @Test func `a state with a time differs from one without, but not from one with another time`() async throws {
        #expect(
            try await PageGraph(of: Page("lock", LockPage())).mermaid == """
                stateDiagram-v2
                    direction LR
                    state "0<br/>start" as s0
                    state "1<br/>lockedUntil=a time" as s1
                    state "2<br/>lockedUntil=a time<br/>key is gone" as s2
                    [*] --> s0
                    s0 --> s1 : locked
                    s0 --> s0 : unlocked
                    s1 --> s2 : locked
                    s1 --> s0 : unlocked
                    s2 --> s2 : locked
                    s2 --> s0 : unlocked

                """
        )
    }

    @Test func `an event has a transition for each duration with another outcome`() async throws {
        let page = Page("door") { Scripted(Door(clock: $0.recorded(SystemClock()), seconds: 90)) }
        #expect(
            try await PageGraph(of: page).mermaid == """
                stateDiagram-v2
                    direction LR
                    state "0<br/>start" as s0
                    state "1<br/>timestamp=a time<br/>shows isOpen=true" as s1
                    state "2<br/>timestamp=a time<br/>shows isOpen=false" as s2
                    [*] --> s0
                    s0 --> s1 : opened / render isOpen=true
                    s1 --> s2 : opened / render isOpen=false
                    s1 --> s1 : opened after 90 s / render isOpen=true
                    s2 --> s2 : opened / render isOpen=false
                    s2 --> s1 : opened after 90 s / render isOpen=true

                """
        )
    }

    @Test(arguments: [
        ("misspelt", #"{"cod":"a\nb"}"#, "has a field 'cod', which the event does not read; it reads: code"),
        ("forgotten", #"{"code":"a"}"#, "lacks the field 'name', which the event reads; it reads: code, name"),
        ("spelt", #"{"days":"three"}"#, "is invalid: The field 'days' must be a number, such as 1."),
        ("needless", #"{"code":"a"}"#, "has a field 'code', which the event does not read; it reads no fields"),
    ])
    func `an example that does not fit its event is reported`(event: String, example: String, fault: String)
        async throws
    {
        let error = try await #require(throws: EventExampleError.self) {
            try await PageGraph(of: Page("clumsy", ClumsyController()), events: [Event(event)])
        }
        #expect(error.event == Event(event))
        #expect(error.description == "the example \(example) of the event '\(event)' \(fault)")
    }

    @Test func `a collaborator's error is rethrown`() async throws {
        await #expect(throws: Outage.self) { try await PageGraph(of: FailingController.page(Outage())) }
    }

    @Test func `no collaborator is called that comes through the page's context`() async throws {
        let page = Page("mail") { context in
            let results = context.results
            return Scripted(Caller { try await results.from("mail") { throw Outage() } })
        }
        #expect(try await PageGraph(of: page).transitions.map(\.commands) == [[]])
    }

    @Test func `a collaborator whose results are of an unknown type is named`() async throws {
        let page = Page("offer") { context in
            let results = context.results
            return Scripted(Caller { _ = try await results.from("offers") { [1: 2] } as [Int: Int] })
        }
        let error = await #expect(throws: MissingResultExamples.self) { try await PageGraph(of: page) }
        #expect(error?.collaborator == "offers")
    }

    @Test func `special characters are escaped as numbers in Mermaid`() async throws {
        #expect(
            try await PageGraph(of: PunctuationController.page, states: 2).mermaid == """
                stateDiagram-v2
                    direction LR
                    state "0<br/>start" as s0
                    state "1<br/>state=1<br/>shows a#60;b=#60;#38;#92;#34;#62;#35;#58;#59;" as s1
                    state "…" as more
                    [*] --> s0
                    s0 --> s1 : punctuated / render a#60;b=#60;#38;#92;#34;#62;#35;#58;#59;
                    s1 --> more : punctuated / render a#60;b=#60;#38;#92;#34;#62;#35;#58;#59;

                """
        )
    }

    private func page(_ name: String) throws -> Page {
        try #require(Page.demo().first { $0.name == name })
    }
}

/// A controller that stores a later point in time at each event. If it is locked again, it discards its key.
private struct LockPage: Script {
    struct State: Codable {
        var lockedUntil: Timestamp?
        var key: Value = "gold"
    }

    static let events: Events = [
        .default("locked") {
            if $0.state.lockedUntil != nil { $0.state.key = .null }
            $0.state.lockedUntil = ($0.state.lockedUntil ?? Timestamp(milliseconds: 0)) + .seconds(1)
        },
        .event("unlocked") { $0.state = State() },
    ]

    static let initial = State()
}

/// A controller whose examples do not fit.
private struct ClumsyController: Script {
    static let code = Field<String>("code")

    static let events: Events = [
        .default("misspelt", reads: code, examples: [["code": "a"], ["cod": "a\nb"]]) { _, _ in },
        .event("forgotten", reads: code, Field<String?>("name"), examples: [["code": "a"]]) { _, _, _ in },
        .event("spelt", reads: Field<Double>("days"), examples: [["days": "three"]]) { _, _ in },
        .event("needless", examples: [["code": "a"]]) { _ in },
    ]
}

/// A controller that renders special characters of Mermaid, and counts without end.
private struct PunctuationController: Script {
    static let output = Output<String>("a<b")

    static let events: Events = [
        .default("punctuated", gives: [.renders(output)]) {
            $0.state += 1
            $0.render(output, "<&\">#:;")
        }
    ]

    static let page = Page("punctuated", PunctuationController())

    static let initial = 0
}
