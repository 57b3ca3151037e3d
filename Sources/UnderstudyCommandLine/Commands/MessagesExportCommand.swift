import ArgumentParser
import Understudy

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
