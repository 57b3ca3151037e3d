import TestSupport
import UnderstudyReplay

/// What belongs to the session, in a page's state diagram: its user and its values.
struct PageGraphSessionTests {
    @Test func `a graph shows which event logs the user out`() async throws {
        let home = try #require(Page.demo().first { $0.name == "home" })
        let events: Set<Event> = ["viewDidLoad", "logoutButtonPressed"]
        let graph = try await PageGraph(of: home, user: User(username: "batman"), events: events)
        #expect(
            graph.mermaid == """
                stateDiagram-v2
                    direction LR
                    state "0<br/>start<br/>user=batman" as s0
                    state "1<br/>shows username=batman" as s1
                    state "2<br/>no user" as s2
                    [*] --> s0
                    s0 --> s1 : viewDidLoad / render username=batman
                    s0 --> s2 : logoutButtonPressed / goToPage login
                    s1 --> s1 : viewDidLoad / render username=batman
                    s1 --> s2 : logoutButtonPressed / goToPage login
                    s2 --> s2 : viewDidLoad / goToPage login
                    s2 --> s2 : logoutButtonPressed / goToPage login

                """
        )
        #expect(graph.states.map(\.user?.username) == ["batman", "batman", nil])
    }

    @Test func `a session's values are part of the state`() async throws {
        let graph = try await PageGraph(of: Page("step") { Scripted(StepPage(progress: $0[progress], note: $0[note])) })
        #expect(
            graph.mermaid == """
                stateDiagram-v2
                    direction LR
                    state "0<br/>start" as s0
                    state "1<br/>session progress.changed=a time<br/>session progress.step=1" as s1
                    state "2<br/>session progress.changed=a time<br/>session progress.step=2<br/>session note=done" as s2
                    [*] --> s0
                    s0 --> s1 : advanced
                    s1 --> s2 : advanced
                    s2 --> s2 : advanced

                """
        )
    }
}

private struct Progress: Codable, Sendable {
    var step = 0
    var changed: Timestamp?
}

private let progress = SessionValue("progress", Progress())
private let note = SessionValue("note", "")

/// A controller that stores its step, and a later point in time at each event, in the session.
private struct StepPage: Script {
    static let events: Events = [
        .default("advanced") { page in
            page.progress.value.step = min(2, page.progress.value.step + 1)
            page.progress.value.changed = (page.progress.value.changed ?? Timestamp(milliseconds: 0)) + .seconds(1)
            if page.progress.value.step == 2 { page.note.value = "done" }
        }
    ]

    let progress: Shared<Progress>
    let note: Shared<String>
}
