import Accounts
import AccountsDatabase
import ArgumentParser
import BusinessLogic
import Understudy

/// The outbox that a command reads or changes. A server may use it at the same time.
struct MailContext {
    let outbox: any OutboxStore
    let clock: any WallClock
    /// The context that records changes; `nil` for a command that only reads.
    private var changes: AdminContext?

    /// The number of mails that are in memory at the same time.
    private static let batchSize = 50

    /// - Throws: ``CommandError`` if there is no database.
    init(_ storage: StorageOptions) async throws {
        let settings = try storage.configuration.settings()
        let opened = try await AdminContext.open(storage, settings, creating: false)
        clock = opened.clock ?? SystemClock()
        outbox = opened.database.outbox(clock: clock)
    }

    /// The outbox for a command that changes it, and records this in the audit log.
    ///
    /// - Throws: ``CommandError`` if there is no database.
    init(changing target: MailArgument) async throws {
        let settings = try target.storage.configuration.settings()
        let context = try await AdminContext(target.storage, target.operator, nil, settings)
        clock = context.clock
        outbox = context.database.outbox(clock: clock)
        changes = context
    }

    /// Has a mail sent again, if that is possible.
    func retry(_ id: String) async throws -> Bool {
        guard try await outbox.retry(id) else { return false }
        await changes?.record(.mailRetried, reason: id)
        return true
    }

    /// Deletes a mail, if there is one with that ID.
    func discard(_ id: String) async throws -> Bool {
        guard try await outbox.discard(id) else { return false }
        await changes?.record(.mailDiscarded, reason: id)
        return true
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
    @OptionGroup var `operator`: OperatorOptions

    func validate() throws {
        guard all == (id == nil) else {
            throw ValidationError("Name a mail by its ID, or all that have failed with '--all'.")
        }
    }
}
