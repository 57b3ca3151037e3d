import Accounts
import AccountsSQLite
import ArgumentParser
import BusinessLogic

/// `understudy account list`.
struct AccountList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the accounts in the order of their usernames.",
        discussion: Help.exit
    )

    @Flag(help: "One JSON object a line.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    /// How many accounts are in memory.
    private static let page = 500
    /// A column is no wider than this; longer texts stand out of it.
    private static let widest = 40

    func run() async throws {
        if json {
            return try await forEachPage { page in
                Terminal.print(try page.map { try $0.json() + "\n" }.joined(), terminator: "")
            }
        }
        // Once to see how wide the columns are, and once more to write them.
        var widths = ["USERNAME".count, "NAME".count]
        try await forEachPage { page in
            for entry in page {
                widths[0] = max(widths[0], min(Self.widest, entry.account.username.printable.count))
                widths[1] = max(widths[1], min(Self.widest, entry.account.name.printable.count))
            }
        }
        Terminal.print(Terminal.strong(Self.row(["USERNAME", "NAME", "CREATED", "STATE"], widths)))
        try await forEachPage { page in
            let rows = page.map { entry in
                let account = entry.account
                let texts = [account.username.printable, account.name.printable, account.created.brief, entry.state]
                return Self.row(texts, widths) + "\n"
            }
            Terminal.print(rows.joined(), terminator: "")
        }
    }

    private func forEachPage(_ body: ([AccountEntry]) throws -> Void) async throws {
        let database = try await AdminContext.database(storage)
        var last: AccountKey?
        while true {
            let accounts = try await database.accounts(after: last, limit: Self.page)
            guard let end = accounts.last else { return }
            let entries = try await AccountEntry.entries(accounts, in: database)
            try body(entries)
            last = AccountKey(end.username)
        }
    }

    private static func row(_ texts: [String], _ widths: [Int]) -> String {
        let widths = widths + [Timestamp(milliseconds: 0).brief.count]
        let padded = zip(texts, widths).map { text, width in
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        return (padded + texts.dropFirst(widths.count)).joined(separator: "  ")
    }
}
