package import AccountsDatabase
package import SQLStatements
internal import SQLite

/// The tables of a database that no other process can use meanwhile. No method blocks its thread.
package final class SQLiteCopySource: CopySource {
    private let queue: SQLiteQueue
    private let path: String

    /// Opens a database of this version.
    ///
    /// - Throws: ``SQLiteDatabaseError``, for example if another process has the file open.
    package init(path: String) throws(SQLiteDatabaseError) {
        self.path = DatabaseFile.absolutePath(path)
        do {
            try WriteAheadLog.checkOwner(self.path)
            let connection = try SQLiteConnection(self.path)
            // Precedes the lock, because a connection whose first access is exclusive has no `-shm`, by which `otherProcess` finds it.
            try Schema.current.check(connection, self.path)
            // The lock stays until the connection is closed.
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
            queue = SQLiteQueue(connection)
        } catch let error as SQLiteDatabaseError {
            throw error
        } catch {
            throw DatabaseFile.reason(error, self.path)
        }
    }

    /// Closes the file, which other processes can open then.
    package func close() {
        queue.close()
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
            return try await queue.run { try $0.run(sql, key ?? []).map(table.values) }
        } catch let error as SQLiteError {
            throw DatabaseFile.reason(error, path)
        }
    }
}
