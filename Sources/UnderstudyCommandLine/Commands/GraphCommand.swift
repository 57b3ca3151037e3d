import ArgumentParser
import BusinessLogic
import Understudy
import UnderstudyReplay

/// `understudy graph`.
struct GraphCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Draw the navigation graph of all pages, or the states that one page can reach.",
        discussion: """
            The navigation graph contains the pages, and the events that go from one page to another. The state diagram of a page \
            contains its states, and the events that lead from one state to another. To find the states, the command sends \
            the page's events with the example values that its declaration contains, until it finds no new state or \
            reaches a limit. It calls no collaborator that the page receives through its context, and tries the results that \
            the page declares instead. If they decide, they are in brackets.
            """
    )

    /// The format of the diagram.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case mermaid, svg
    }

    @Argument(help: "The page whose states are drawn. Without it, the command draws the navigation graph.")
    var page: String?

    @Option(help: "The format of the diagram.")
    var format: Format = .mermaid

    @Option(help: "The name of a user who is logged in at the start. By default, no user is logged in.")
    var user: String?

    @Option(name: .customLong("event"), help: "Send only this event. You can give this option several times.")
    var events: [String] = []

    @Option(help: "The maximum number of events in a row. (default: \(PageGraph.Limits().depth))")
    var depth: Count?

    @Option(help: "The maximum number of states. (default: \(PageGraph.Limits().states))")
    var states: Count?

    func run() async throws {
        let pages = try Application.current.pages(PageDependencies())
        guard let name = page else { return try drawNavigation(pages) }
        guard let page = pages.first(where: { $0.name == name }) else {
            throw ValidationError(
                "There is no page '\(name)'. The pages are: \(pages.map(\.name).joined(separator: ", "))."
            )
        }
        try await drawStates(of: page)
    }

    private func drawNavigation(_ pages: [Page]) throws {
        let options = [
            ("--user", user != nil), ("--event", !events.isEmpty), ("--depth", depth != nil),
            ("--states", states != nil),
        ]
        if let (option, _) = options.first(where: \.1) {
            throw ValidationError("'\(option)' needs a page: the navigation graph has no states.")
        }
        let graph = NavigationGraph(of: pages)
        Terminal.print(format == .svg ? graph.svg : graph.mermaid, terminator: "")
        if !graph.unserved.isEmpty {
            let names = graph.unserved.map(\.name).joined(separator: ", ")
            Terminal.printProgress("Events go to pages that the program does not contain: \(names).\n")
        }
    }

    private func drawStates(of page: Page) async throws {
        let known = page.declarations.map(\.event)
        if let event = events.first(where: { !known.contains(Event($0)) }) {
            throw ValidationError(
                "The page has no event '\(event)'. Its events are: \(known.map(\.name).joined(separator: ", "))."
            )
        }
        var limits = PageGraph.Limits()
        if let depth { limits.depth = depth.number }
        if let states { limits.states = states.number }
        let graph = try await PageGraph(
            of: page,
            user: user.map { User(username: $0) },
            events: events.isEmpty ? nil : Set(events.map { Event($0) }),
            limits: limits
        )
        Terminal.print(format == .svg ? graph.svg : graph.mermaid, terminator: "")
        if graph.isCut {
            Terminal.printProgress(
                """
                The diagram ends at \(limits.states) states or \(limits.depth) events in a row: raise --states or --depth to \
                see more.

                """
            )
        }
    }
}
