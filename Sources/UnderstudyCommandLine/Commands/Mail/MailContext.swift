import Accounts
import AccountsDatabase
import ArgumentParser
import BusinessLogic
import Understudy

/// The outbox that a command reads or changes. A server may use it at the same time.
struct MailContext {
    let outbox: any OutboxStore
    let clock: any WallClock

    /// The number of mails that are in memory at the same time.
    private static let batchSize = 50

    /// - Throws: ``CommandError`` if there is no database.
    init(_ storage: StorageOptions) async throws {
        let settings = try await storage.configuration.settings()
        let opened = try await AdminContext.open(storage, settings, creating: false)
        clock = opened.clock ?? SystemClock()
        outbox = opened.database.outbox(clock: clock)
    }

    /// Calls `body` with the mails that wait or have failed.
    func forEachMail(_ body: (OutboxMail) async throws -> Void) async throws {
        var last = 0
        while true {
            let mails = try await outbox.mails(after: last, limit: Self.batchSize)
            guard let end = mails.last else { return }
            for mail in mails { try await body(mail) }
            last = end.number
        }
    }
}

/// The mails that a command changes.
struct MailArgument: ParsableArguments {
    @Argument(help: "The mail's ID, which 'mail list' shows.")
    var id: String?

    @Flag(help: "All mails that have failed.")
    var all = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func validate() throws {
        guard all == (id == nil) else {
            throw ValidationError("Name a mail by its ID, or all that have failed with '--all'.")
        }
    }
}
