package import AccountsDatabase
import Synchronization

/// The tables of a database that no other process can use meanwhile.
package final class SQLiteCopySource: Sendable {
    /// `nil` after the source was closed.
    private let connection: Mutex<SQLiteConnection?>
    private let path: String

    /// Opens a database of this version. Throws if another process has the file open, for example.
    package init(path: String) throws(SQLiteDatabaseError) {
        self.path = DatabaseFile.absolutePath(path)
        do {
            try WriteAheadLog.checkOwner(self.path)
            let connection = try SQLiteConnection(self.path)
            // Precedes the lock, because a connection whose first access is exclusive has no `-shm`, by which `otherProcess` finds it.
            try Schema.current.check(connection, self.path)
            // The lock stays until the connection is closed.
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
            self.connection = Mutex(connection)
        } catch {
            throw DatabaseFile.reason(error, self.path)
        }
    }

    /// Closes the file, which other processes can open then.
    package func close() {
        connection.withLock { $0 = nil }
    }

    /// Returns at most `batchSize` rows of a table in the order of its key: those after a key, the first ones for `nil`; none if there are no
    /// more. Waits for the disk.
    package func rows(of table: TableDescription, after key: [SQLValue]?) throws -> [[SQLValue]] {
        let order = table.key.joined(separator: ", ")
        let parameters = table.key.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let condition = key == nil ? "" : "WHERE (\(order)) > (\(parameters))"
        let sql = """
            SELECT \(table.columnNames) FROM \(table.name) \(condition) ORDER BY \(order) LIMIT \(table.batchSize)
            """
        do {
            return try connection.withLock { try $0?.run(sql, key ?? []).map { try $0.all() } ?? [] }
        } catch {
            throw DatabaseFile.reason(error, path)
        }
    }
}
