internal import CSQLite
internal import AccountsDatabase

/// A statement that SQLite has compiled. Only the thread of its connection may use it.
final class Statement {
    private let sql: String
    /// `nil` for a statement that contains only a comment or nothing, which SQLite does not compile.
    private let handle: OpaquePointer?

    /// - Throws: ``SQLiteError``, also if the SQL contains several statements.
    init(_ sql: String, on connection: OpaquePointer) throws(SQLiteError) {
        self.sql = sql
        var handle: OpaquePointer?
        let (code, length) = sql.withCString { start in
            var rest: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(connection, start, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &rest)
            return (code, rest.map { $0 - start } ?? 0)
        }
        self.handle = handle
        guard code == SQLITE_OK else { throw SQLiteError(of: connection, sql: sql) }
        guard sql.utf8.dropFirst(length).allSatisfy({ "; \n\t\r".utf8.contains($0) }) else {
            throw SQLiteError(.misuse, "expected one statement, received several", sql: sql)
        }
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Executes the statement, and returns its rows. Afterwards, it can be executed again, whether it has failed or not.
    func rows(_ values: [SQLValue]) throws(SQLiteError) -> [SQLiteRow] {
        guard let handle else { return [] }
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        try bind(values, handle)
        var rows: [SQLiteRow] = []
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: rows.append(try SQLiteRow(of: handle))
            case SQLITE_DONE: return rows
            default: throw error(handle)
            }
        }
    }

    private func bind(_ values: [SQLValue], _ handle: OpaquePointer) throws(SQLiteError) {
        let count = Int(sqlite3_bind_parameter_count(handle))
        guard values.count == count else {
            throw SQLiteError(.range, "expected \(count) values, received \(values.count)", sql: sql)
        }
        for (index, value) in values.enumerated() {
            guard !value.containsNUL else {
                throw SQLiteError(.mismatch, "the text of parameter \(index + 1) contains U+0000", sql: sql)
            }
            guard bind(value, Int32(index + 1), handle) == SQLITE_OK else { throw error(handle) }
        }
    }

    private func bind(_ value: SQLValue, _ number: Int32, _ handle: OpaquePointer) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(handle, number)
        case .integer(let integer): sqlite3_bind_int64(handle, number, integer)
        case .boolean(let value): sqlite3_bind_int64(handle, number, value ? 1 : 0)
        case .text(let text): CSQLite_bind_text(handle, number, text)
        // Without a pointer, SQLite would bind null.
        case .bytes(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(handle, number, 0)
        case .bytes(let bytes):
            bytes.withUnsafeBytes { CSQLite_bind_bytes(handle, number, $0.baseAddress, UInt64($0.count)) }
        }
    }

    private func error(_ handle: OpaquePointer) -> SQLiteError { SQLiteError(of: sqlite3_db_handle(handle), sql: sql) }
}
