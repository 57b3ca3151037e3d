struct NavigationGraphTests {
    @Test func `every destination of the bundled pages is a served page that reads its values`() {
        let pages = Page.bundled() + Page.factors()
        #expect(NavigationGraph(of: pages).unserved == [])
        for page in pages {
            for case .goToPage(let destination) in page.events.flatMap(\.gives) where destination.page != nil {
                let target = pages.first { $0.name == destination.page }
                let reads = target?.events.first { $0.isDefault }?.reads ?? []
                #expect(destination.fields.allSatisfy(reads.contains), "\(page.name) goes to \(destination.name)")
            }
        }
    }

    @Test func `a destination is a page, a screen of the client or not served`() {
        let graph = NavigationGraph(of: [ShopController.page])
        #expect(graph.nodes.map(\.name) == ["shop", "settings", "help"])
        #expect(graph.nodes.map(\.kind) == [.page, .client, .unserved])
        #expect(graph.unserved.map(\.name) == ["help"])
    }

    @Test func `in Mermaid, a client's screen is rounded, and an unserved page a hexagon`() {
        #expect(
            NavigationGraph(of: [ShopController.page]).mermaid == """
                flowchart LR
                    n0["shop"]
                    n1(["settings<br/>screen of the client"])
                    n2{{"help<br/>not served"}}
                    n0 -.->|"menuOpened / goToPage settings with topic"| n1
                    n0 -.->|"menuOpened / goToPage Help#33;"| n2
                    n0 -->|"restarted"| n0

                """
        )
    }
}

/// A controller with a destination of each kind.
private struct ShopController: Script {
    static let topic = Field<String>("topic")
    static let shop = Destination<()>("shop")
    static let help = Destination<()>("Help!", page: "help")
    static let settings = Destination<String>.ofClient("settings", topic)

    static let events: Events = [
        .default("menuOpened", gives: [.goes(to: settings), .goes(to: help), .goes(to: help)]) { _ in },
        .event("restarted", gives: [.goes(to: shop)]) { _ in },
    ]

    static let page = Page("shop", ShopController())
}
