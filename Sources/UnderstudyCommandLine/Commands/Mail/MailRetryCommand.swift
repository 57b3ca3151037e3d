import Accounts
import ArgumentParser
import BusinessLogic

/// `understudy mail retry`.
struct MailRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "retry",
        "Have a mail sent by a server within a few seconds, as if it had just been added.",
        "A mail that has expired cannot be sent: discard it."
    )

    @OptionGroup var target: MailArgument

    func run() async throws {
        let administration = try await target.storage.administration(by: target.operator)
        guard let id = target.id else { return try await retryAll(administration) }
        guard let mail = try await administration.outbox.mail(id) else { throw CommandError.unknownMail(id) }
        if try await administration.retryMail(id) {
            return Terminal.print("A server sends the mail '\(id.printable)' within a few seconds.")
        }
        throw CommandError(
            mail.hasExpired(at: administration.clock.now)
                ? "The mail '\(id.printable)' has expired, and is not sent any more: discard it."
                : "A server sends the mail '\(id.printable)' at the moment."
        )
    }

    private func retryAll(_ administration: Administration) async throws {
        var counts = (retried: 0, expired: 0)
        try await target.forEachFailure(administration) { id in
            if try await administration.retryMail(id) { counts.retried += 1 } else { counts.expired += 1 }
        }
        Terminal.print("retried \(counts.retried), expired \(counts.expired)")
    }
}
