import Accounts
import ArgumentParser
import BusinessLogic

/// `understudy account list`.
struct AccountListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("account list")

    @Option(
        help: "List only accounts of which the username, the email address or the id contains this text, in any case."
    )
    var search: String?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let administration = try await storage.administration()
        if !json { Terminal.print(Terminal.strong(Self.row(["USERNAME", "NAME", "CREATED", "STATE"]))) }
        try await forEach(by: \.account.usernameKey) {
            try await administration.accounts(search ?? "", after: $0, limit: 500)
        } body: { summary in
            if json { return Terminal.print(json: summary) }
            let account = summary.account
            Terminal.print(
                Self.row([account.username.printable, account.name.printable, account.created.brief, summary.state])
            )
        }
    }

    /// Columns with the usual width of their texts.
    private static func row(_ texts: [String]) -> String { .row(texts, widths: [30, 20, 20]) }
}

/// `understudy account show`.
struct AccountShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("account show")

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
