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
            return try await read { try Self.rows($0, table, key) }
        } catch let error as DatabaseError {
            throw DatabaseFile.reason(error, path)
        }
    }

    // Without specialisation, for the reason in SQLiteDatabase.
    @_semantics("optimize.sil.specialize.generic.never")
    private func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await snapshot.read(body)
    }

    private static func rows(_ db: Database, _ table: TableDescription, _ key: [SQLValue]?) throws -> [[SQLValue]] {
        try db.run(table.selection(isFirst: key == nil), (key ?? []) + [.number(table.batchSize)]).map(table.values)
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

extension TableDescription {
    /// The name in SQLite.
    package var nameInSQLite: String { self == .revocation ? RevocationTable.name.sqlite : name }

    /// The SQL that reads a batch of rows.
    ///
    /// - Parameter isFirst: whether it is the first batch. Otherwise, the first parameters are the key after which it begins. The last
    ///   parameter is the maximum number of rows.
    fileprivate func selection(isFirst: Bool) -> String {
        let names = key.map(\.name).joined(separator: ", ")
        let parameters = key.map { $0.type == .text ? "CAST(? AS TEXT)" : "?" }.joined(separator: ", ")
        return """
            SELECT \(columns.map { $0.type == .text ? "CAST(\($0.name) AS BLOB)" : $0.name }.joined(separator: ", "))
            FROM \(nameInSQLite) \(isFirst ? "" : "WHERE (\(names)) > (\(parameters))") ORDER BY \(names) LIMIT ?
            """
    }
}
