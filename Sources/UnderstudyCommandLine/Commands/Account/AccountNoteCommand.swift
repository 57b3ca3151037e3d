import Accounts
import ArgumentParser

/// `understudy account note`.
struct AccountNoteCommand: AccountChange {
    static let configuration = CommandConfiguration(
        "note",
        "Print or change the note about an account, which its owner never sees.",
        """
        Without TEXT, the command prints the note. An empty TEXT removes it. A note has at most \(AccountLimits.note) characters; 'account \
        show' and 'account export' print it.
        """
    )

    @OptionGroup var target: AccountArgument

    @Argument(help: "What to note, in place of what was noted before.")
    var text: String?

    func run() async throws {
        if text != nil { return try await runChange() }
        let account = try await target.storage.administration().knownAccount(target.username)
        if let note = account.note { return Terminal.print(note.printable) }
        Terminal.printNote("There is no note about the account '\(account.username.printable)'.")
    }

    func change(_ account: Account, _ service: AccountService) async throws -> Bool {
        try await service.setNote(text?.isEmpty == false ? text : nil, of: account.id)
    }

    func report(_ name: String, isChanged: Bool, _ current: Account?) -> String {
        isChanged
            ? "\(text?.isEmpty == false ? "Changed" : "Removed") the note about the account \(name)."
            : "The note about the account \(name) stays as it was."
    }
}
