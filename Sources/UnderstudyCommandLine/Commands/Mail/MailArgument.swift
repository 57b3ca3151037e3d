import Accounts
import ArgumentParser

/// The mails that a command changes.
struct MailArgument: ParsableArguments {
    @Argument(help: "The mail's ID, which 'mail list' shows.")
    var id: String?

    @Flag(help: "All mails that have failed.")
    var all = false

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions

    func validate() throws {
        guard all == (id == nil) else {
            throw ValidationError("Name a mail by its ID, or all that have failed with '--all'.")
        }
    }

    /// Calls `body` with the mails that have failed.
    func forEachFailure(_ administration: Administration, _ body: (String) async throws -> Void) async throws {
        try await administration.forEachMail { mail in
            if mail.hasFailed { try await body(mail.mail.mail.id) }
        }
    }
}

extension Administration {
    /// Calls `body` with the mails that wait or have failed.
    func forEachMail(_ body: (MailSummary) async throws -> Void) async throws {
        try await readParts(by: \.mail.number) {
            try await mails(after: $0, limit: 50)
        } body: { mails in
            for mail in mails { try await body(mail) }
        }
    }
}

extension CommandError {
    static func unknownMail(_ id: String) -> CommandError {
        CommandError("There is no mail '\(id)' that waits or has failed.")
    }
}
