import Accounts
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
                for account in accounts { Terminal.print(json: account) }
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
    static let configuration = CommandConfiguration("show", "Show an account.")

    @Argument(help: AccountArgument.help)
    var username: String

    @Flag(help: "Print a JSON object.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let (administration, account) = try await storage.account(username)
        for summary in try await administration.summaries(of: [account]) {
            if json { return Terminal.print(json: summary) }
            for line in summary.lines { Terminal.print(line) }
        }
    }
}
