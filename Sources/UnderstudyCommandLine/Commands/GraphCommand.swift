import ArgumentParser
import BusinessLogic
import Understudy
import UnderstudyReplay

/// `understudy graph`.
struct GraphCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Print a Mermaid diagram: the navigation graph of all pages, or the states that one page can reach.",
        discussion: """
            The navigation graph contains the pages, and the events that go from one page to another. The state diagram of a page \
            contains its states, and the events that lead from one state to another. To find the states, the command sends \
            the page's events with the example values that its declaration contains, until it finds no new state or \
            reaches a limit, at once and after each duration that makes a difference. It calls no collaborator that the page \
            receives through its context, and tries the results that the page declares instead. If they decide, they are in brackets.

            The diagram starts with a new session, which contains nothing but '--user'.
            """
    )

    @Argument(help: "The page whose states are printed. Without it, the command prints the navigation graph.")
    var page: String?

    @Option(help: "The name of a user who is logged in at the start. By default, no user is logged in.")
    var user: String?

    @Option(name: .customLong("event"), help: "Send only this event. You can give this option several times.")
    var events: [String] = []

    @Option(
        help: "The maximum number of events in a row. (default: \(PageGraph.defaultDepth))",
        transform: TextParser.count.parse
    )
    var depth: Int?

    @Option(
        help: "The maximum number of states. (default: \(PageGraph.defaultStates))",
        transform: TextParser.count.parse
    )
    var states: Int?

    func run() async throws {
        let pages = try Application.current.pages(PageDependencies())
        guard let name = page else { return try printNavigation(pages) }
        guard let page = pages.first(where: { $0.name == name }) else {
            throw ValidationError(
                "There is no page '\(name)'. The pages are: \(pages.map(\.name).joined(separator: ", "))."
            )
        }
        try await printStates(of: page)
    }

    private func printNavigation(_ pages: [Page]) throws {
        let options = [
            ("--user", user != nil), ("--event", !events.isEmpty), ("--depth", depth != nil),
            ("--states", states != nil),
        ]
        if let (option, _) = options.first(where: \.1) {
            throw ValidationError("'\(option)' needs a page: the navigation graph has no states.")
        }
        let graph = NavigationGraph(of: pages)
        Terminal.print(graph.mermaid, terminator: "")
        if !graph.unserved.isEmpty {
            let names = graph.unserved.map(\.name).joined(separator: ", ")
            Terminal.printProgress("Events go to pages that the program does not contain: \(names).\n")
        }
    }

    private func printStates(of page: Page) async throws {
        let known = page.declarations.map(\.event)
        if let event = events.first(where: { !known.contains(Event($0)) }) {
            throw ValidationError(
                "The page has no event '\(event)'. Its events are: \(known.map(\.name).joined(separator: ", "))."
            )
        }
        let (depth, states) = (depth ?? PageGraph.defaultDepth, states ?? PageGraph.defaultStates)
        let graph = try await PageGraph(
            of: page,
            user: user.map { User(username: $0) },
            events: events.isEmpty ? nil : Set(events.map { Event($0) }),
            depth: depth,
            states: states
        )
        Terminal.print(graph.mermaid, terminator: "")
        if graph.isCut {
            Terminal.printProgress(
                """
                The diagram ends at \(states) states or \(depth) events in a row: raise --states or --depth to \
                see more.

                """
            )
        }
    }
}
