import Accounts
import ArgumentParser
import BusinessLogic

/// `understudy mail retry`.
struct MailRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Have a mail sent by a server within a few seconds, as if it had just been added.",
        discussion: "A mail that has expired cannot be sent: discard it. \(HelpText.exit)"
    )

    @OptionGroup var target: MailArgument

    func run() async throws {
        let context = try await MailContext(changing: target)
        guard let id = target.id else { return try await retryAll(context) }
        guard let mail = try await context.outbox.mail(id) else { throw CommandError.unknownMail(id) }
        if try await context.retry(id) {
            return Terminal.print("A server sends the mail '\(id.printable)' within a few seconds.")
        }
        throw CommandError(
            mail.hasExpired(at: context.clock.now)
                ? "The mail '\(id.printable)' has expired, and is not sent any more: discard it."
                : "A server sends the mail '\(id.printable)' at the moment."
        )
    }

    private func retryAll(_ context: MailContext) async throws {
        var counts = (retried: 0, expired: 0)
        try await context.forEachMail { mail in
            guard mail.failed != nil else { return }
            if try await context.retry(mail.mail.id) { counts.retried += 1 } else { counts.expired += 1 }
        }
        Terminal.print("retried \(counts.retried), expired \(counts.expired)")
    }
}

extension CommandError {
    static func unknownMail(_ id: String) -> CommandError {
        CommandError("There is no mail '\(id)' that waits or has failed.")
    }
}
