import ArgumentParser
import Understudy

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
