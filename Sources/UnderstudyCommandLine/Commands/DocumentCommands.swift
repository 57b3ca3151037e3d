import ArgumentParser
import BusinessLogic
import Understudy
import UnderstudyReplay

/// `understudy openapi`.
struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration("openapi")

    func run() throws {
        let service = UnderstudyService(
            pages: try Application.current.pages(PageDependencies()),
            configuration: Application.current.serviceConfiguration
        )
        Terminal.print(service.openAPIDocument, terminator: "")
    }
}

/// `understudy graph`.
struct GraphCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("graph")

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

/// `understudy messages`.
struct MessagesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "messages",
        subcommands: [MessagesExportCommand.self, MessagesCheckCommand.self]
    )
}

extension MessageCatalog {
    /// The messages and labels of the program's pages.
    static func ofProgram() throws -> MessageCatalog {
        MessageCatalog(
            try Application.current.pages(.withAllPasswordMessages),
            templates: Application.current.templates.keys
        )
    }
}

/// `understudy messages export`.
struct MessagesExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration("messages export")

    func run() throws {
        Terminal.print(try MessageCatalog.ofProgram().json(Application.current.translations.completed))
    }
}

/// `understudy messages check`.
struct MessagesCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration("messages check")

    @Argument(help: "The String Catalog.")
    var file: String

    func run() throws {
        let catalog = try MessageCatalog.ofProgram()
        let check = TranslationCheck(
            catalog: catalog,
            translations: try Translations(file: file, for: catalog),
            builtIn: Translations.service.merging(Application.current.translations)
        )
        let reports = try check.reports()
        if reports.isEmpty { throw CommandError("The file '\(file)' contains no translations of messages.") }
        for report in reports {
            if report.findings.isEmpty { Terminal.print("\(report.language): no findings") }
            for finding in report.findings { Terminal.print("\(report.language): \(finding.escaped)") }
        }
        if !reports.allSatisfy(\.findings.isEmpty) { throw ExitCode.failure }
    }
}
