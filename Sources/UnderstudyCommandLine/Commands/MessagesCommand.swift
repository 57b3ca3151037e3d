import Accounts
import ArgumentParser
import BundledControllers
import BusinessLogic
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
        let dependencies = PageDependencies(passwordPolicy: MessagesCommand.AllPasswordMessages())
        return MessageCatalog(
            try Application.current.pages(dependencies),
            templates: Application.current.templates.keys
        )
    }
}

extension MessagesCommand {
    /// Declares the messages of all policies that `serve` may use.
    struct AllPasswordMessages: PasswordPolicy {
        func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? { nil }

        var messages: [Message] { NonEmptyPasswordPolicy().messages + ServicePasswordPolicy().messages }
    }
}
