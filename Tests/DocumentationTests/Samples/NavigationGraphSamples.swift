import BundledPages
import Testing
import Understudy
import UnderstudyReplay

/// The sample of `NavigationGraph` and of `docs/graphs.md`.
@Suite struct NavigationGraphSamples {
    @Test func `a navigation graph is drawn as Mermaid`() {
        let pages = Page.demo()
        print(NavigationGraph(of: pages).mermaid)
        #expect(NavigationGraph(of: pages).mermaid.hasPrefix("flowchart LR"))
    }
}
