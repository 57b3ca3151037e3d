import ArgumentParser
import Understudy
import UnderstudyReplay

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

struct GraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration("graph")

    func run() throws {
        let graph = NavigationGraph(of: try Application.current.pages(PageDependencies()))
        Terminal.print(graph.mermaid, terminator: "")
        if !graph.unserved.isEmpty {
            let names = graph.unserved.map(\.name).joined(separator: ", ")
            Terminal.printProgress("Events go to pages that the program does not contain: \(names).\n")
        }
    }
}

struct MessagesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "messages",
        subcommands: [MessagesExportCommand.self, MessagesCheckCommand.self]
    )
}

extension MessageCatalog {
    static func ofProgram() throws -> MessageCatalog {
        MessageCatalog(
            try Application.current.pages(.withAllPasswordMessages),
            templates: Application.current.templates.keys
        )
    }
}

struct MessagesExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration("messages export")

    func run() throws {
        Terminal.print(try MessageCatalog.ofProgram().json(Application.current.translations.completed))
    }
}

struct MessagesCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration("messages check")

    @Argument(help: "The String Catalog.", completion: .file())
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
