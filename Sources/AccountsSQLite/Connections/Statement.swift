import CSQLite
import AccountsDatabase

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
    func rows(_ values: [SQLValue]) throws -> [SQLRow] {
        guard let handle else { return [] }
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        try bind(values, handle)
        var rows: [SQLRow] = []
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: rows.append(try row(handle))
            case SQLITE_DONE: return rows
            default: throw error(handle)
            }
        }
    }

    private func row(_ handle: OpaquePointer) throws(SQLiteError) -> SQLRow {
        var values: [SQLValue?] = []
        for column in 0..<sqlite3_column_count(handle) {
            switch sqlite3_column_type(handle, column) {
            case SQLITE_NULL: values.append(.null)
            case SQLITE_INTEGER: values.append(.integer(sqlite3_column_int64(handle, column)))
            case SQLITE_FLOAT: values.append(nil)
            // SQLite converts a text to UTF-8 if the file contains UTF-16.
            case SQLITE_TEXT:
                let bytes = try bytes(sqlite3_column_text(handle, column), column, handle)
                values.append(.text(String(decoding: bytes, as: UTF8.self)))
            default:
                values.append(.bytes(Array(try bytes(sqlite3_column_blob(handle, column), column, handle))))
            }
        }
        return SQLRow(values)
    }

    /// The bytes of a column, which stay valid until the next call for the statement.
    private func bytes(
        _ start: UnsafeRawPointer?,
        _ column: Int32,
        _ handle: OpaquePointer
    ) throws(SQLiteError) -> UnsafeRawBufferPointer {
        // An empty value has no pointer either.
        if start == nil, sqlite3_errcode(sqlite3_db_handle(handle)) == SQLITE_NOMEM { throw error(handle) }
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
    }

    private func bind(_ values: [SQLValue], _ handle: OpaquePointer) throws {
        try values.check(for: sql)
        let count = Int(sqlite3_bind_parameter_count(handle))
        guard values.count == count else {
            throw SQLiteError(.range, "expected \(count) values, received \(values.count)", sql: sql)
        }
        for (index, value) in values.enumerated() {
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
