package import AccountsDatabase
internal import GRDB
package import SQLStatements

/// The tables of a database that no other process can use meanwhile. No method blocks its thread.
package final class SQLiteCopySource: CopySource {
    private let queue: DatabaseQueue
    private let path: String

    /// Opens a database of this version.
    ///
    /// - Throws: ``SQLiteDatabaseError``, for example if another process has the file open.
    package init(path: String) throws(SQLiteDatabaseError) {
        self.path = DatabaseFile.absolutePath(path)
        do {
            try WriteAheadLog.checkOwner(self.path)
            queue = try DatabaseQueue(path: self.path)
            try queue.writeWithoutTransaction { [path = self.path] db in
                // The lock stays until the connection is closed.
                try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
                try Schema.current.check(db, path)
            }
        } catch let error as SQLiteDatabaseError {
            throw error
        } catch {
            throw DatabaseFile.reason(error, self.path)
        }
    }

    /// Closes the file, which other processes can open then.
    package func close() {
        // This fails only while a statement is in use, which cannot be the case here.
        try? queue.close()
    }

    /// Returns rows of a table in the order of its key.
    ///
    /// - Throws: ``SQLiteDatabaseError``.
    package func rows(of table: TableDescription, after key: [SQLValue]?) async throws -> [[SQLValue]] {
        let columns = table.columns.map(\.name).joined(separator: ", ")
        let order = table.key.map(\.name).joined(separator: ", ")
        let parameters = table.key.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let condition = key == nil ? "" : "WHERE (\(order)) > (\(parameters))"
        let sql = "SELECT \(columns) FROM \(table.name) \(condition) ORDER BY \(order) LIMIT \(table.batchSize)"
        do {
            return try await read { try $0.run(sql, key ?? []).map(table.values) }
        } catch let error as DatabaseError {
            throw DatabaseFile.reason(error, path)
        }
    }

    // Without specialisation, for the reason in SQLiteDatabase.
    @_semantics("optimize.sil.specialize.generic.never")
    private func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await queue.read(body)
    }
}
