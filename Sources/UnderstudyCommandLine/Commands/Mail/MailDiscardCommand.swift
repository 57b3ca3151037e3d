import Accounts
import ArgumentParser

/// `understudy mail discard`.
struct MailDiscardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "discard",
        "Delete a mail permanently, without sending it.",
        HelpText.confirmation
    )

    @OptionGroup var target: MailArgument

    @OptionGroup var confirmation: Confirmation

    func run() async throws {
        try confirmation.requireTerminal(to: "discard the mail")
        let administration = try await target.storage.administration(by: target.operator)
        let name = target.id.map { "the mail '\($0.printable)'" } ?? "all mails that have failed"
        try confirmation.ask("Discard \(name) permanently?", refusal: "Nothing is discarded.")
        if let id = target.id {
            guard try await administration.discardMail(id) else { throw CommandError.unknownMail(id) }
            return Terminal.print("Discarded \(name).")
        }
        var count = 0
        try await target.forEachFailure(administration) { id in
            if try await administration.discardMail(id) { count += 1 }
        }
        Terminal.print("discarded \(count)")
    }
}
