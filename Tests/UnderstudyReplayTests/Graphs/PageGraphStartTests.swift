import BundledPages
import Testing
import TestSupport
import UnderstudyPages
import UnderstudySessions
@testable import UnderstudyReplay

/// Where a graph starts, and what it ignores.
@Suite struct PageGraphStartTests {
    @Test func `an event that has another outcome after some time has a transition for each duration`() async throws {
        let page = Page("door") { context in Scripted(Door(clock: context.recorded(SystemClock()))) }
        let graph = try await PageGraph(of: page, ignoring: ["shows open"])
        #expect(
            graph.mermaid == """
                stateDiagram-v2
                    direction LR
                    state "0<br/>start" as s0
                    state "1<br/>closed=a time" as s1
                    [*] --> s0
                    s0 --> s1 : closed
                    s0 --> s0 : opened / render open=true
                    s1 --> s1 : closed
                    s1 --> s1 : opened / render open=false
                    s1 --> s0 : opened after 90 s / render open=true

                """
        )
    }

    @Test func `a graph can start with values of the session`() async throws {
        let page = Page("form") { context in Scripted(StepPage(step: context[step])) }
        let graph = try await PageGraph(of: page, sessionValues: ["step": 3])
        #expect(graph.states.map { $0.sessionValues["step"] } == [3, 4])
    }

    @Test(
        arguments: [
            (["step": "three"], #"The value 'step' of the session cannot be "three"."#),
            (["stop": 3], "The page 'form' does not use a value 'stop' of the session."),
        ] as [(Value.Object, String)]
    )
    func `a value of the session that the page cannot use is an error`(values: Value.Object, reason: String)
        async throws
    {
        let page = Page("form") { context in Scripted(StepPage(step: context[step])) }
        let error = await #expect(throws: PageGraph.ArgumentError.self) {
            try await PageGraph(of: page, sessionValues: values)
        }
        #expect(error?.description == reason)
    }

    @Test func `states that differ only in what the graph ignores are one, with the transitions of all of them`()
        async throws
    {
        let graph = try await PageGraph(of: login(), ignoring: ["failures", "lastFailure"])
        #expect(graph.states.map(\.rendered["message"]) == [nil, "Wrong username or password", "You can log in again"])
        let fromFailed = graph.transitions.filter { $0.source == 1 }
        #expect(fromFailed.map(\.target) == [1, 1, 1, 1, 2])
        #expect(fromFailed.last?.wait == .seconds(900))
        #expect(!graph.isCut)
    }

    @Test func `a graph can ignore a value of the session and a rendered key`() async throws {
        let page = Page("form") { context in Scripted(StepPage(step: context[step])) }
        #expect(try await PageGraph(of: page, ignoring: ["session step", "shows step"]).states.count == 1)
    }

    private func login() throws -> Page {
        try #require(Page.demo().first { $0.name == "login" })
    }
}

/// A door that cannot be opened for 90 seconds after it was closed, by the clock and without a timer.
private struct Door: Script {
    struct State: Codable {
        var closed: Timestamp?
    }

    static let open = Output<Bool>("open")
    static let events: EventTable<Scripted<Door>> = [
        .default("closed") { $0.state.closed = $0.clock.now },
        .event("opened", gives: [.renders(open)]) { door in
            let isOpen = door.state.closed.map { door.clock.now >= $0 + .seconds(90) } ?? true
            if isOpen { door.state.closed = nil }
            door.render(open, isOpen)
        },
    ]
    static let initial = State()

    let clock: any WallClock
}

private let step = SessionValue("step", 1)

/// Counts in a value of the session.
private struct StepPage: Script {
    static let shown = Output<Int>("step")
    static let events: EventTable<Scripted<StepPage>> = [
        .default("advanced", gives: [.renders(shown)]) {
            $0.step.value = min(4, $0.step.value + 1)
            $0.render(shown, $0.step.value)
        }
    ]

    let step: Shared<Int>
}
