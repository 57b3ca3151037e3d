import Testing
import TestSupport
import UnderstudyPages
import UnderstudyReplay

@Suite struct PageGraphMermaidTests {
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
}

/// A controller that renders special characters of Mermaid, and counts without end.
private struct PunctuationController: Script {
    static let output = Output<String>("a<b")

    static let events: EventTable<Scripted<PunctuationController>> = [
        .default("punctuated", gives: [.renders(output)]) {
            $0.state += 1
            $0.render(output, "<&\">#:;")
        }
    ]

    static let page = Page("punctuated", PunctuationController())

    static let initial = 0
}
