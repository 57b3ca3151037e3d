import Accounts
import ArgumentParser
import BusinessLogic

/// `understudy mail list`.
struct MailListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "list",
        "List the mails that wait or have failed, in the order in which they were added.",
        "The expiry is only in the JSON; the subject and the contents, which can contain codes, are in neither."
    )

    @Flag(help: "List only the mails that have failed.")
    var failed = false

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let administration = try await storage.administration()
        if !json { Terminal.print(Terminal.strong(Self.row(["ID", "ADDED", "ATTEMPTS", "RECIPIENT", "STATE"]))) }
        try await administration.forEachMail { summary in
            if failed, !summary.hasFailed { return }
            if json { return Terminal.print(json: .object(summary.members)) }
            let mail = summary.mail
            let texts = [mail.mail.id, mail.queued.brief, "\(mail.attempts)", mail.mail.recipient, summary.state]
            Terminal.print(Self.row(texts.map(\.printable)))
        }
    }

    /// Columns with the usual width of their texts: an ID is a UUID.
    private static func row(_ texts: [String]) -> String { .row(texts, widths: [36, 20, 8, 24]) }
}
