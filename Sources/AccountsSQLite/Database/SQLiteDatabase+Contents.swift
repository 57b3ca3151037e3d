import Accounts
import AccountsDatabase
import Synchronization

/// Everything that a database contained at one moment, in memory: its accounts, sessions, products, and all other rows.
package final class SQLiteContents: @unchecked Sendable {
    // Sendable because the lock lets only one thread at a time use the copy.
    private let copy: SQLiteConnection
    private let lock = Mutex(())

    init(of source: SQLiteConnection) throws {
        copy = try .inMemory()
        try source.backup(to: copy)
    }

    /// Replaces everything in a database, in one transaction.
    func restore(in database: SQLiteConnection) throws { try lock.withLock { _ in try copy.backup(to: database) } }
}

extension SQLiteDatabase {
    /// A copy of everything in the database now. Other calls continue meanwhile.
    package func contents() async throws -> SQLiteContents {
        try await reportingErrors(.read(.accounts)) { try await withReader { try SQLiteContents(of: $0) } }
    }

    /// Replaces everything in the database by what it contained at another moment, in one transaction. Changes by other processes are lost
    /// as well. Does not wait until the disk contains it: if the machine fails soon after, the file may be damaged.
    package func restore(_ contents: SQLiteContents) async throws {
        try await reportingErrors(.write(.accounts)) {
            try await withWriter { db in
                // Each of five waits takes milliseconds.
                try db.execute("PRAGMA synchronous = OFF")
                defer { try? db.execute("PRAGMA synchronous = FULL") }
                try contents.restore(in: db)
                // SQLite does not count the pages of a copy as changes. Its failure is not an error, because the pages are in the `-wal`.
                try? file?.log.checkpoint(db)
            }
        }
    }
}
