import Accounts
import AccountsDatabase
import AccountsSQLite
import ArgumentParser
import BusinessLogic

/// `understudy account list`.
struct AccountListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the accounts, sorted by username.",
        discussion: HelpText.exit
    )

    @Option(
        help: "List only accounts of which the username, the email address or the id contains this text, in any case."
    )
    var search: String?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    /// The number of accounts that are in memory at the same time.
    private static let batchSize = 500
    /// The maximum width of a column, in characters. Longer texts overflow it.
    private static let maximumWidth = 40

    func run() async throws {
        if json {
            return try await forEachBatch { batch in
                Terminal.print(batch.map { $0.json + "\n" }.joined(), terminator: "")
            }
        }
        // The first pass finds the widths of the columns, the second one prints them.
        var widths = ["USERNAME".count, "NAME".count]
        try await forEachBatch { batch in
            for entry in batch {
                widths[0] = max(widths[0], min(Self.maximumWidth, entry.account.username.printable.count))
                widths[1] = max(widths[1], min(Self.maximumWidth, entry.account.name.printable.count))
            }
        }
        Terminal.print(Terminal.strong(Self.row(["USERNAME", "NAME", "CREATED", "STATE"], widths)))
        try await forEachBatch { batch in
            let rows = batch.map { entry in
                let account = entry.account
                let texts = [account.username.printable, account.name.printable, account.created.brief, entry.state]
                return Self.row(texts, widths) + "\n"
            }
            Terminal.print(rows.joined(), terminator: "")
        }
    }

    private func forEachBatch(_ body: ([AccountEntry]) throws -> Void) async throws {
        let database = try await AdminContext.database(storage)
        var last: [UInt8]?
        while true {
            let accounts = try await accounts(in: database, after: last)
            guard let end = accounts.last else { return }
            let entries = try await AccountEntry.entries(accounts, in: database)
            try body(entries)
            last = end.usernameKey
        }
    }

    private func accounts(in database: any Database, after last: [UInt8]?) async throws -> [Account] {
        guard let search else { return try await database.accounts(after: last, limit: Self.batchSize) }
        return try await database.accounts(matching: search, after: last, limit: Self.batchSize)
    }

    private static func row(_ texts: [String], _ widths: [Int]) -> String {
        let widths = widths + [Timestamp(milliseconds: 0).brief.count]
        let padded = zip(texts, widths).map { $0.padded(to: $1) }
        return (padded + texts.dropFirst(widths.count)).joined(separator: "  ")
    }
}
