import ArgumentParser
import BusinessLogic
import Understudy
import UnderstudyReplay

/// `understudy graph`.
struct GraphCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Draw the states that a page can reach, as a diagram.",
        discussion: """
            The command sends the page's events with the example values that its declaration contains, until it finds \
            no new state or reaches a limit. The page runs as in the demonstration.
            """
    )

    /// The format of the diagram.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case mermaid, dot, svg
    }

    @Argument(help: "The page's name.")
    var page: String

    @Option(help: "The format of the diagram.")
    var format: Format = .mermaid

    @Option(name: .customLong("event"), help: "Send only this event. You can give this option several times.")
    var events: [String] = []

    @Option(help: "The maximum number of events in a row.")
    var depth: Count = Count(PageGraph.Limits().depth)

    @Option(help: "The maximum number of states.")
    var states: Count = Count(PageGraph.Limits().states)

    func run() async throws {
        let pages = try Application.current.pages(PageDependencies())
        guard let page = pages.first(where: { $0.name == page }) else {
            throw ValidationError(
                "There is no page '\(page)'. The pages are: \(pages.map(\.name).joined(separator: ", "))."
            )
        }
        let known = page.events.map(\.event)
        if let event = events.first(where: { !known.contains(Event($0)) }) {
            throw ValidationError(
                "The page has no event '\(event)'. Its events are: \(known.map(\.name).joined(separator: ", "))."
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
                "The diagram ends at \(states) states or \(depth) events in a row: raise --states or --depth to see more.\n"
            )
        }
    }
}

extension PageGraph {
    fileprivate func text(_ format: GraphCommand.Format) -> String {
        switch format {
        case .mermaid: mermaid
        case .dot: dot
        case .svg: svg
        }
    }
}
