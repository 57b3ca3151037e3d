import Accounts
import ArgumentParser
import BusinessLogic

/// `understudy mail list`.
struct MailListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the mails that wait or have failed, in the order in which they were added.",
        discussion:
            "The expiry is only in the JSON; the subject and the contents, which can contain codes, are in neither. \(HelpText.exit)"
    )

    @Flag(help: "List only the mails that have failed.")
    var failed = false

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let context = try await MailContext(storage)
        if !json { Terminal.print(Terminal.strong(Self.row("ID", "ADDED", "ATTEMPTS", "RECIPIENT", "STATE"))) }
        try await context.forEachMail { mail in
            if failed, mail.failed == nil { return }
            let entry = MailEntry(stored: mail, now: context.clock.now)
            if json { return Terminal.print(entry.json) }
            let reason = mail.reason.map { ": \($0.printable)" } ?? ""
            Terminal.print(
                Self.row(
                    mail.mail.id.printable,
                    mail.queued.brief,
                    "\(mail.attempts)",
                    mail.mail.recipient.printable,
                    entry.state + reason
                )
            )
        }
    }

    /// Columns with the usual width of their texts: an ID is a UUID.
    private static func row(_ texts: String...) -> String {
        let columns = zip(texts, [36, 20, 8, 24, 0]).map { text, width in
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        return columns.joined(separator: "  ")
    }
}
