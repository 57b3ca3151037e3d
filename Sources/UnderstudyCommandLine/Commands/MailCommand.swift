import Accounts
import ArgumentParser
import BusinessLogic

struct MailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "mail",
        subcommands: [MailListCommand.self, MailRetryCommand.self, MailDiscardCommand.self]
    )
}

struct MailListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("mail list")

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
            if json { return Terminal.print(json: summary) }
            let mail = summary.mail
            let texts = [mail.mail.id, mail.queued.brief, "\(mail.attempts)", mail.mail.recipient, summary.description]
            Terminal.print(Self.row(texts.map(\.printable)))
        }
    }

    /// Columns with the usual width of their texts: an ID is a UUID.
    private static func row(_ texts: [String]) -> String { .row(texts, widths: [36, 20, 8, 24]) }
}

struct MailRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("mail retry")

    @OptionGroup var target: MailArgument

    func run() async throws {
        let administration = try await target.change.administration()
        guard let id = target.id else {
            let counts = try await target.changeFailures(administration) { try await administration.retryMail($0) }
            return Terminal.print("retried \(counts.changed), expired \(counts.others)")
        }
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
}

struct MailDiscardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("mail discard")

    @OptionGroup var target: MailArgument

    @OptionGroup var confirmation: Confirmation

    func run() async throws {
        let administration = try await target.change.administration()
        let name = target.id.map { "the mail '\($0.printable)'" } ?? "all mails that have failed"
        try confirmation.ask("Discard \(name) permanently?", refusal: "Nothing is discarded.")
        if let id = target.id {
            guard try await administration.discardMail(id) else { throw CommandError.unknownMail(id) }
            return Terminal.print("Discarded \(name).")
        }
        let counts = try await target.changeFailures(administration) { try await administration.discardMail($0) }
        Terminal.print("discarded \(counts.changed)")
    }
}

/// The mails that a command changes.
struct MailArgument: ParsableArguments {
    @Argument(help: "The mail's ID, which 'mail list' shows.")
    var id: String?

    @Flag(help: "All mails that have failed.")
    var all = false

    @OptionGroup var change: OperatorOptions

    func validate() throws {
        guard all == (id == nil) else {
            throw ValidationError("Name a mail by its ID, or all that have failed with '--all'.")
        }
    }

    /// Calls `body` with the mails that have failed, and counts those that it has changed.
    func changeFailures(
        _ administration: Administration,
        _ body: (String) async throws -> Bool
    ) async throws -> (changed: Int, others: Int) {
        var counts = (changed: 0, others: 0)
        try await administration.forEachMail { mail in
            guard mail.hasFailed else { return }
            if try await body(mail.mail.mail.id) { counts.changed += 1 } else { counts.others += 1 }
        }
        return counts
    }
}

extension Administration {
    /// Calls `body` with the mails that wait or have failed.
    func forEachMail(_ body: (MailSummary) async throws -> Void) async throws {
        try await forEach(by: \.mail.number, { try await mails(after: $0, limit: 50) }, body: body)
    }
}

extension CommandError {
    static func unknownMail(_ id: String) -> CommandError {
        CommandError("There is no mail '\(id)' that waits or has failed.")
    }
}
