import ArgumentParser
import Understudy

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
