import Accounts
import AccountsSQLite
import Synchronization
import Understudy

/// Saves and restores the accounts, failed logins, devices, products, mails, stored sessions and tables of pages of a server that is
/// controlled by tests.
final class DataReset: Sendable {
    /// The data, in a file or in memory; `nil` if they are in a database that other servers may use as well.
    private let database: SQLiteDatabase?
    private let outbox: MemoryOutbox?
    private let lastRevocation: LastRevocation
    private let rateLimits: AccountRateLimits
    /// What the data were after the start; `nil` before ``remember()``.
    private let start = Mutex<SavedData?>(nil)

    /// Give the outbox unless the mails are in the database. The rate limits begin anew, whatever is restored.
    init(
        _ database: SQLiteDatabase?,
        _ outbox: MemoryOutbox?,
        _ lastRevocation: LastRevocation,
        _ rateLimits: AccountRateLimits
    ) {
        (self.database, self.outbox) = (database, outbox)
        (self.lastRevocation, self.rateLimits) = (lastRevocation, rateLimits)
    }

    /// Remembers what the data are now, for ``restoreStart()``. Call it after the migrations, and before the server changes anything.
    func remember() async throws {
        guard let database else { return }
        // The key is created when it is first read. The server never reads it again, so it must be among what is restored.
        _ = try await database.sessions { 0 }.addressKey
        let data = try await save()
        start.withLock { $0 = data }
    }

    /// Makes the data what they were when ``remember()`` was called. Throws ``Problem`` `unknownPage` if the data are in a database that
    /// other servers may use. After an error, nothing has changed.
    func restoreStart() async throws {
        if database == nil { throw Self.isShared("reset") }
        guard let start = start.withLock({ $0 }) else {
            throw Problem(.unavailable, "The server is starting.", retryAfter: .seconds(1))
        }
        try await start.restore()
    }

    /// Saves what the data are now. Throws as ``restoreStart()``.
    func save() async throws -> SavedData {
        guard let database else { throw Self.isShared("saved") }
        let number = lastRevocation.number
        let restoreMails = outbox?.saved()
        let contents = try await database.contents()
        return SavedData { [lastRevocation, rateLimits] in
            try await database.restore(contents)
            restoreMails?()
            lastRevocation.number = number
            rateLimits.reset()
        }
    }

    private static func isShared(_ action: String) -> Problem {
        Problem(
            .unknownPage,
            "A PostgreSQL database cannot be \(action), because other servers may use it. Use an SQLite file, or --demo."
        )
    }
}
