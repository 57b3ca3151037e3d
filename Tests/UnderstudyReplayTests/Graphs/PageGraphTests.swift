import BundledPages
import Testing
import TestSupport
import UnderstudyPages
@testable import UnderstudyReplay

@Suite struct PageGraphTests {
    @Test func `five failed logins lead, one by one, to a state that only a timer leaves`() async throws {
        let graph = try await PageGraph(of: page("login"))
        let wrong: Command = .render("message", .wrongCredentials)
        #expect(graph.page == "login")
        #expect(graph.states.map(\.memory["failures"]) == [0, 1, 0, 2, 3, 4, 5, 0])
        #expect(graph.states.map(\.depth) == [0, 1, 2, 2, 3, 4, 5, 6])
        #expect(graph.states[0].rendered == [:])
        #expect(
            graph.states[1..<7].allSatisfy { $0.rendered == ["message": "Wrong username or password"] }
                && graph.states[7].rendered == ["message": "You can log in again"]
        )
        func targets(_ result: Value) -> [Int?] {
            graph.transitions.filter { $0.results.map(\.value) == [["from": "credentials", "answer": result]] }
                .map(\.target)
        }
        #expect(targets(nil) == [1, 3, 1, 4, 5, 6, 1])
        #expect(targets(["username": "batman"]) == [0, 2, 2, 2, 2, 2, 7])
        #expect(
            graph.transitions.filter { $0.event == "loginButtonPressed" && $0.results.isEmpty }
                .map { [$0.source, $0.target] } == [[6, 6], [6, 6]]
        )
        #expect(graph.transitions.filter { $0.event == "lockEnded" }.map { [$0.source, $0.target] } == [[6, 7]])
        let attempt: [[Command]] = [[.goToPage("Home")], [wrong]]
        var commands = (0..<6).flatMap { _ in attempt }
        commands += [[.showAlert(.tooManyLoginAttempts)], [.showAlert(.tooManyLoginAttempts)]]
        commands += [[.render("message", .loginAllowed)]] + attempt
        #expect(graph.transitions.map(\.commands) == commands)
        #expect(!graph.isCut)
    }

    @Test func `three unsuccessful sign-ups are three states`() async throws {
        let graph = try await PageGraph(of: page("signup"), events: ["submitButtonPressed"])
        #expect(graph.states.map(\.memory["unsuccessfulAttempts"]) == [0, 0, 1, 2, 3])
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

    @Test func `messages that a page shows are one state, in whatever order it has shown them`() async throws {
        let account = try #require(Page.accounts().first { $0.name == "account" })
        let shown = try await PageGraph(of: account).states.compactMap { $0.memory["shownMessages"]?.array }
        #expect(shown.contains { $0.count > 1 })
        #expect(shown.allSatisfy { $0.compactMap(\.string) == $0.compactMap(\.string).sorted() })
    }

    @Test func `the diagram of an unbounded page is cut at the limits, and marked as cut`() async throws {
        let byStates = try await PageGraph(
            of: CountingController.page,
            events: ["count"],
            depth: 9,
            states: 3
        )
        #expect(byStates.states.map(\.memory) == [0, 1, 2])
        #expect(byStates.isCut)
        let byDepth = try await PageGraph(
            of: CountingController.page,
            events: ["count"],
            depth: 1,
            states: 9
        )
        #expect(byDepth.states.map(\.memory) == [0, 1])
        #expect(byDepth.transitions.map(\.target) == [1, nil])
    }

    @Test func `an event without examples gets values of the declared kinds`() async throws {
        let graph = try await PageGraph(of: FormController.page, events: ["entered"])
        #expect(graph.transitions.first?.values == ["age": 1, "agrees": true, "name": "text", "pin": "text"])
        #expect(graph.states.map(\.rendered) == [[:], ["age": 1, "agrees": true, "name": "text"]])
    }

    @Test func `a state with a time differs from one without, but different times are the same state`() async throws {
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

    @Test(arguments: [
        (
            "misspelt",
            #"""
            the example {"cod":"a\nb"} of the event 'misspelt' has a field 'cod', which the event does not read; \#
            it reads: code
            """#
        ),
        (
            "forgotten",
            #"""
            the example {"code":"a"} of the event 'forgotten' lacks the field 'name', which the event reads; \#
            it reads: code, name
            """#
        ),
        (
            "spelt",
            #"""
            the example {"days":"three"} of the event 'spelt' is invalid: The field 'days' must be a number, such as 1.
            """#
        ),
        (
            "needless",
            #"""
            the example {"code":"a"} of the event 'needless' has a field 'code', which the event does not read; \#
            it reads no fields
            """#
        ),
    ])
    func `an example that does not fit its event is reported`(event: String, description: String) async throws {
        let error = try await #require(throws: EventExampleError.self) {
            try await PageGraph(of: Page("clumsy", ClumsyController()), events: [Event(event)])
        }
        #expect(error.event == Event(event))
        #expect(error.description == description)
    }

    @Test func `a collaborator's error is rethrown`() async throws {
        await #expect(throws: Outage.self) { try await PageGraph(of: FailingController.page(Outage())) }
    }

    @Test func `no collaborator is called that comes through the page's context`() async throws {
        let page = Page("mail") { context in
            let results = context.results
            return Scripted(MailPage { try await results.from("mail") { throw Outage() } })
        }
        let graph = try await PageGraph(of: page)
        #expect(graph.transitions.map(\.commands) == [[.render("sent", true)], [.render("sent", true)]])
    }

    @Test func `a collaborator whose results are of an unknown type is named`() async throws {
        let page = Page("offer") { context in
            let results = context.results
            return Scripted(MailPage { _ = try await results.from("offers") { [1: 2] } as [Int: Int] })
        }
        let error = await #expect(throws: MissingResultExamples.self) { try await PageGraph(of: page) }
        #expect(error?.collaborator == "offers")
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

    static let events: EventTable<Scripted<LockPage>> = [
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

    static let events: EventTable<Scripted<ClumsyController>> = [
        .default("misspelt", reads: code, examples: [["code": "a"], ["cod": "a\nb"]]) { _, _ in },
        .event("forgotten", reads: code, Field<String?>("name"), examples: [["code": "a"]]) { _, _, _ in },
        .event("spelt", reads: Field<Double>("days"), examples: [["days": "three"]]) { _, _ in },
        .event("needless", examples: [["code": "a"]]) { _ in },
    ]
}

/// Calls a collaborator.
private struct MailPage: Script {
    static let sent = Output<Bool>("sent")
    static let events: EventTable<Scripted<MailPage>> = [
        .default("sendButtonPressed", gives: [.renders(sent)]) {
            try await $0.mail()
            $0.render(sent, true)
        }
    ]

    let mail: () async throws -> Void
}
