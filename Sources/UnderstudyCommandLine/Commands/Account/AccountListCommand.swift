import Accounts
import AccountsDatabase
import ArgumentParser
import BusinessLogic

/// `understudy account list`.
struct AccountListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("list", "List the accounts, sorted by username.")

    @Option(
        help: "List only accounts of which the username, the email address or the id contains this text, in any case."
    )
    var search: String?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    /// The maximum width of a column, in characters. Longer texts overflow it.
    private static let maximumWidth = 40

    func run() async throws {
        let administration = try await storage.administration()
        if json {
            return try await forEachPart(administration) { accounts in
                for account in accounts { Terminal.print(json: .object(account.members)) }
            }
        }
        // The first pass finds the widths of the columns, the second one prints them.
        var widths = ["USERNAME".count, "NAME".count, Timestamp(milliseconds: 0).brief.count]
        try await forEachPart(administration) { accounts in
            for account in accounts.map(\.account) {
                widths[0] = max(widths[0], min(Self.maximumWidth, account.username.printable.count))
                widths[1] = max(widths[1], min(Self.maximumWidth, account.name.printable.count))
            }
        }
        Terminal.print(Terminal.strong(.row(["USERNAME", "NAME", "CREATED", "STATE"], widths: widths)))
        try await forEachPart(administration) { [widths] accounts in
            let rows = accounts.map { summary in
                let account = summary.account
                let texts = [account.username.printable, account.name.printable, account.created.brief, summary.state]
                return .row(texts, widths: widths) + "\n"
            }
            Terminal.print(rows.joined(), terminator: "")
        }
    }

    private func forEachPart(
        _ administration: Administration,
        _ body: ([AccountSummary]) async throws -> Void
    ) async throws {
        let read = { try await administration.accounts(search ?? "", after: $0, limit: 500) }
        try await readParts(by: \.account.usernameKey, read, body: body)
    }
}

/// `understudy account show`.
struct AccountShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "show",
        "Show an account.",
        """
        Prints the time of the last failed login; if the audit log contains it, also the address of the client and the reason.
        """
    )

    @Argument(help: AccountArgument.help)
    var username: String

    @Flag(help: "Print a JSON object.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let (administration, account) = try await storage.account(username)
        let failure = try await administration.lastFailure(of: account.id)
        for summary in try await administration.summaries(of: [account]) {
            if json {
                var members = summary.members
                members["lastFailure"] = failure?.value
                Terminal.print(json: .object(members))
            } else {
                for line in summary.lines { Terminal.print(line) }
                if let failure { Terminal.print("last failure:  \(failure.text.printable)") }
            }
        }
    }
}

/// The last login of an account that failed.
private struct LastFailure {
    let time: Timestamp
    /// The IP address of the client; `nil` if it is not known.
    var address: String?
    /// Why it failed, as the audit log names it; `nil` if it is not known.
    var reason: String?

    /// The time, with the address and the reason if they are known.
    var text: String { time.brief + (address.map { " from \($0)" } ?? "") + (reason.map { ": \($0)" } ?? "") }

    /// The same as a JSON object.
    var value: Value {
        .object(
            Value.Object(known: ["address": Value(address), "reason": Value(reason), "time": .string(time.text)])
        )
    }
}

extension Administration {
    /// Returns the last failed login that the audit log contains. Otherwise, returns the last one since the last successful login,
    /// of which only the time is known; `nil` if there was none.
    fileprivate func lastFailure(of account: AccountID) async throws -> LastFailure? {
        var last: LastFailure?
        try await forEachRecord(of: account) { record, members in
            guard members["event"]?.string == AuditEvent.Kind.loginFailed.rawValue else { return }
            last = LastFailure(
                time: record.time,
                address: members["address"]?.string,
                reason: members["reason"]?.string
            )
        }
        if let last { return last }
        return try await database.failureCounts(of: [account])[account]?.lastFailure.map { LastFailure(time: $0) }
    }
}
