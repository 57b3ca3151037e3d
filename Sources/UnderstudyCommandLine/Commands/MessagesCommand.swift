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
