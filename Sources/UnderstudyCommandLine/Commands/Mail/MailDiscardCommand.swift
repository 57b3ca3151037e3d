import Accounts
import ArgumentParser

/// `understudy mail discard`.
struct MailDiscardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Delete a mail permanently, without sending it.",
        discussion:
            "The command asks for confirmation on the terminal; without a terminal, it requires '--yes'. \(HelpText.exit)"
    )

    @OptionGroup var target: MailArgument

    @Flag(help: "Do not ask.")
    var yes = false

    func run() async throws {
        guard yes || Terminal.canAsk else {
            throw ValidationError(
                "Standard input is not a terminal, so that the command cannot ask: add '--yes' to discard the mail."
            )
        }
        let context = try await MailContext(changing: target)
        let name = target.id.map { "the mail '\($0.printable)'" } ?? "all mails that have failed"
        guard yes || Terminal.ask("Discard \(name) permanently?") else {
            throw CommandError("Nothing is discarded.")
        }
        if let id = target.id {
            guard try await context.discard(id) else { throw CommandError.unknownMail(id) }
            return Terminal.print("Discarded \(name).")
        }
        var count = 0
        try await context.forEachMail { mail in
            guard mail.failed != nil, try await context.discard(mail.mail.id) else { return }
            count += 1
        }
        Terminal.print("discarded \(count)")
    }
}
