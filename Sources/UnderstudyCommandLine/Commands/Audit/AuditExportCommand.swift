import Accounts
import AccountsDatabase
import ArgumentParser
import BusinessLogic

/// `understudy audit export`.
struct AuditExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "export",
        "Print the records of the audit log, one a line, the oldest first.",
        """
        Each line is a JSON object:

          understudy audit export >audit.jsonl

        A demonstration has its records in memory, and only its log contains them.
        """
    )

    @Option(
        help: ArgumentHelp(
            "Only records about this account: a username, an email address or an id, also one that was deleted.",
            valueName: "username"
        )
    )
    var account: String?

    @Option(
        help: ArgumentHelp(
            "Only records from this time on: 2026-01-31, 2026-01-31T09:30:00Z, or the last 12h or 30d.",
            valueName: "time"
        )
    )
    var since: PointInTime?

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let administration = try await storage.administration()
        let time = since?.timestamp(now: administration.clock.now)
        let database = try administration.database
        var id: AccountID?
        if let account { id = try await database.recordedAccount(account) }
        try await database.forEachAuditRecord(of: id, since: time) { Terminal.print(bytes: $0.line) }
    }
}

extension Database {
    /// Returns the ID of the account with a username, an email address or an ID, or of a deleted account with that ID.
    ///
    /// - Throws: ``CommandError`` if there is no such account, and no record about one.
    fileprivate func recordedAccount(_ name: String) async throws -> AccountID {
        if let account = try await account(named: name) { return account.id }
        var hasRecords = false
        try await forEachAuditRecord(of: AccountID(name)) { _ in hasRecords = true }
        guard hasRecords else {
            throw CommandError("There is no account '\(name)', and no record about a deleted account with this ID.")
        }
        return AccountID(name)
    }
}
