import ArgumentParser
import BundledPages
import BusinessLogic
import Understudy
import UnderstudyReplay

/// `understudy graph`.
struct Graph: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draw what a page can come to, as a state diagram.",
        discussion: """
            Drives the page of the demonstration through its events, with the values that its declaration gives as \
            examples, until nothing new turns up or a limit is reached.
            """
    )

    /// How the diagram is written.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case mermaid, dot, svg
    }

    @Argument(help: "The page's name.")
    var page: String

    @Option(help: "How to write it.")
    var format: Format = .mermaid

    @Option(name: .customLong("event"), help: "Have only this event happen; may be given several times.")
    var events: [String] = []

    @Option(help: "How many events there may be one after the other.")
    var depth: Count = Count(PageGraph.Limits().depth)

    @Option(help: "How many states there may be.")
    var states: Count = Count(PageGraph.Limits().states)

    func run() async throws {
        let pages = Page.demo()
        guard let page = pages.first(where: { $0.name == page }) else {
            throw ValidationError("There is no page '\(page)': \(pages.map(\.name).joined(separator: ", ")).")
        }
        let known = page.events.map(\.event)
        if let event = events.first(where: { !known.contains(Event($0)) }) {
            throw ValidationError(
                "The page has no event '\(event)': \(known.map(\.name).joined(separator: ", "))."
            )
        }
        let graph = try await PageGraph(
            of: page,
            events: events.isEmpty ? nil : Set(events.map { Event($0) }),
            limits: PageGraph.Limits(depth: depth.number, states: states.number)
        )
        Terminal.print(graph.text(format), terminator: "")
        if graph.isCut {
            Terminal.printProgress(
                "There is more past \(states) states or \(depth) events: see --states and --depth.\n"
            )
        }
    }
}

extension PageGraph {
    fileprivate func text(_ format: Graph.Format) -> String {
        switch format {
        case .mermaid: mermaid
        case .dot: dot
        case .svg: svg
        }
    }
}
