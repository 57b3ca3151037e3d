import Accounts
import ArgumentParser

/// `understudy account note`.
struct AccountNoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "note",
        abstract: "Print or change the note about an account, which its owner never sees.",
        discussion: """
            Without TEXT, the command prints the note. An empty TEXT removes it. A note has at most \(AccountLimits.note) characters; 'account \
            show' and 'account export' print it. \(HelpText.exit)
            """
    )

    @OptionGroup var target: AccountArgument

    @Argument(help: "What to note, in place of what was noted before.")
    var text: String?

    func run() async throws {
        guard let text else {
            let account = try await AdminContext.database(target.storage).knownAccount(target.username)
            if let note = account.note { return Terminal.print(note.printable) }
            return Terminal.printNote("There is no note about the account '\(account.username.printable)'.")
        }
        let (context, account) = try await target.find()
        let name = account.username.printable
        let isChanged: Bool
        do {
            isChanged = try await context.change { try await $0.setNote(text.isEmpty ? nil : text, of: account.id) }
        } catch let error as AccountTextTooLong {
            throw CommandError("\(error)")
        }
        Terminal.print(
            isChanged
                ? "\(text.isEmpty ? "Removed" : "Changed") the note about the account '\(name)'."
                : "The note about the account '\(name)' stays as it was."
        )
    }
}
