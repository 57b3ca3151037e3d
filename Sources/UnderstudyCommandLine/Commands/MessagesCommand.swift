import ArgumentParser
import Understudy

/// `understudy messages`.
struct MessagesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages",
        abstract: "Export the messages and labels of the pages for translators, and check translations.",
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
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print all messages and labels as a String Catalog (.xcstrings).",
        discussion: """
            The catalog contains the messages that the pages declare, the titles of problems, the labels of the pages' \
            HTML, and the translations that the program already has. Translate it in Xcode or any editor, check it with \
            'messages check', and pass it to 'serve --translations'.
            """
    )

    func run() throws {
        Terminal.print(try MessageCatalog.ofProgram().json(Application.current.translations.completed))
    }
}

/// `understudy messages check`.
struct MessagesCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Compare a String Catalog (.xcstrings) with the messages and labels of the pages.",
        discussion: """
            For each language, the command prints the messages that lack a translation, the keys that no page declares, and \
            the translations whose placeholders do not fit the message's parameters. A key that begins like no message, such \
            as 'settings.title', is an app's own and is ignored. If a catalog contains a label of the pages' HTML, such as \
            'label.username', the command also prints the labels that lack a text. Exit status: 0 no finding, 1 a finding or a failure, 64 wrong \
            usage.
            """
    )

    @Argument(help: "The String Catalog.")
    var file: String

    func run() throws {
        let catalog = try MessageCatalog.ofProgram()
        let check = TranslationCheck(
            catalog: catalog,
            translations: try CatalogFile(path: file).read(for: catalog),
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
