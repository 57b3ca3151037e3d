package import AccountsDatabase
internal import GRDB
package import SQLStatements

/// The state of a database at one moment. Calls return the same rows also after later writes. No method blocks its thread.
///
/// SQLite does not shorten the file `-wal` while a snapshot exists. Therefore keep it only as long as necessary.
package final class SQLiteSnapshot: CopySource {
    private let snapshot: DatabaseSnapshot
    private let path: String

    fileprivate init(_ snapshot: DatabaseSnapshot, _ path: String) {
        self.snapshot = snapshot
        self.path = path
    }

    /// Returns rows of a table in the order of its key.
    ///
    /// - Throws: ``SQLiteDatabaseError``.
    package func rows(of table: TableDescription, after key: [SQLValue]?) async throws -> [[SQLValue]] {
        do {
            return try await read { try $0.run(table.select(after: key)).map(table.values) }
        } catch let error as DatabaseError {
            throw DatabaseFile.reason(error, path)
        }
    }

    // Without specialisation, for the reason in SQLiteDatabase.
    @_semantics("optimize.sil.specialize.generic.never")
    private func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await snapshot.read(body)
    }
}

extension SQLiteDatabase {
    /// The state of the database now.
    ///
    /// - Throws: ``SQLiteDatabaseError``.
    package func snapshot() throws(SQLiteDatabaseError) -> SQLiteSnapshot {
        do {
            return SQLiteSnapshot(try pool.makeSnapshot(), path)
        } catch {
            throw DatabaseFile.reason(error, path)
        }
    }
}
