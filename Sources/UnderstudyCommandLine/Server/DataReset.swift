import Accounts
import AccountsSQLite
import BusinessLogic
import SessionStorage
import Synchronization
import Understudy

/// Restores the accounts, failed logins, devices, products, mails and stored sessions of a server that is controlled by tests.
final class DataReset: Sendable {
    /// Where the data are.
    enum Place {
        /// In memory. The stores are empty after the start.
        case memory(MemoryAccountStore, MemoryThrottleStore, MemoryOutbox)
        /// In a file of SQLite.
        case file(SQLiteDatabase)
        /// In a database that other servers may use as well.
        case server
    }

    /// What there was after the start.
    private struct Start {
        /// What the file contained; `nil` in another place.
        let contents: SQLiteContents?
        let lastRevocation: Int
    }

    private let place: Place
    private let lastRevocation: LastRevocation
    /// `nil` before ``remember()``.
    private let start = Mutex<Start?>(nil)

    /// - Parameter lastRevocation: what is restored with the data.
    init(_ place: Place, _ lastRevocation: LastRevocation) {
        self.place = place
        self.lastRevocation = lastRevocation
    }

    /// Remembers what the data are now. Call it after the migrations, and before the server changes anything.
    ///
    /// - Throws: the store's error.
    func remember() async throws {
        var contents: SQLiteContents?
        if case .file(let database) = place {
            // The key is created when it is first read. The server never reads it again, so it must be among what is restored.
            _ = try await database.sessions { 0 }.addressKey
            contents = try await database.contents()
        }
        start.withLock { $0 = Start(contents: contents, lastRevocation: lastRevocation.number) }
    }

    /// Makes the data what they were when ``remember()`` was called.
    ///
    /// - Throws: ``Problem`` `unknownPage` if the data are in a database that other servers may use; the store's error. Then nothing has
    ///   changed.
    func restore() async throws {
        guard let start = start.withLock({ $0 }) else {
            throw Problem(.unavailable, "The server is starting.", retryAfter: .seconds(1))
        }
        switch place {
        case .memory(let accounts, let throttles, let outbox):
            accounts.removeAll()
            throttles.removeAll()
            outbox.removeAll()
        case .file(let database):
            if let contents = start.contents { try await database.restore(contents) }
        case .server:
            throw Problem(
                .unknownPage,
                "A PostgreSQL database cannot be reset, because other servers may use it. Use an SQLite file, or --demo."
            )
        }
        lastRevocation.number = start.lastRevocation
    }
}
