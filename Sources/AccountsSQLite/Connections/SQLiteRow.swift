internal import CSQLite
internal import AccountsDatabase

/// A row that SQLite has returned. Columns have numbers from 0.
///
/// Each getter throws ``SQLiteError/Code/corrupt`` if the column does not exist or has another type. The methods whose name begins with
/// `optional` return `nil` for null, for which the others throw it.
package struct SQLiteRow: SQLRow, Sendable {
    private enum Value: Sendable {
        case null
        case integer(Int64)
        case real
        case text(String)
        case bytes([UInt8])
    }

    private let values: [Value]

    /// The current row of a statement.
    init(of statement: OpaquePointer) throws(SQLiteError) {
        var values: [Value] = []
        values.reserveCapacity(Int(sqlite3_column_count(statement)))
        for column in 0..<sqlite3_column_count(statement) {
            switch sqlite3_column_type(statement, column) {
            case SQLITE_NULL: values.append(.null)
            case SQLITE_INTEGER: values.append(.integer(sqlite3_column_int64(statement, column)))
            case SQLITE_FLOAT: values.append(.real)
            // SQLite converts a text to UTF-8 if the file contains UTF-16.
            case SQLITE_TEXT:
                let bytes = try Self.bytes(sqlite3_column_text(statement, column), column, statement)
                values.append(.text(String(decoding: bytes, as: UTF8.self)))
            default:
                let bytes = try Self.bytes(sqlite3_column_blob(statement, column), column, statement)
                values.append(.bytes(Array(bytes)))
            }
        }
        self.values = values
    }

    /// The bytes of a column, which stay valid until the next call for the statement.
    private static func bytes(
        _ start: UnsafeRawPointer?,
        _ column: Int32,
        _ statement: OpaquePointer
    ) throws(SQLiteError) -> UnsafeRawBufferPointer {
        if let start {
            return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        }
        // An empty value has no pointer either.
        let connection = sqlite3_db_handle(statement)
        guard sqlite3_errcode(connection) != SQLITE_NOMEM else { throw SQLiteError(of: connection) }
        return UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Returns an integer, or `nil` for null.
    package func optionalInteger(_ column: Int) throws -> Int64? {
        switch try value(column) {
        case .null: nil
        case .integer(let number): number
        case .real, .text, .bytes: throw unreadable(column, "expected an integer, received another type")
        }
    }

    /// Returns whether an integer is not zero, or `nil` for null.
    package func optionalBoolean(_ column: Int) throws -> Bool? { try optionalInteger(column).map { $0 != 0 } }

    /// Returns a text, in which U+FFFD replaces what is not UTF-8, or `nil` for null.
    package func optionalText(_ column: Int) throws -> String? {
        switch try value(column) {
        case .null: nil
        case .text(let text): text
        case .integer, .real, .bytes: throw unreadable(column, "expected a text, received another type")
        }
    }

    /// Returns bytes, or `nil` for null.
    package func optionalBytes(_ column: Int) throws -> [UInt8]? {
        switch try value(column) {
        case .null: nil
        case .bytes(let bytes): bytes
        case .integer, .real, .text: throw unreadable(column, "expected bytes, received another type")
        }
    }

    /// Returns an integer.
    package func integer(_ column: Int) throws -> Int64 { try present(column, optionalInteger(column)) }

    /// Returns whether an integer is not zero.
    package func boolean(_ column: Int) throws -> Bool { try present(column, optionalBoolean(column)) }

    /// Returns a text, in which U+FFFD replaces what is not UTF-8.
    package func text(_ column: Int) throws -> String { try present(column, optionalText(column)) }

    /// Returns bytes.
    package func bytes(_ column: Int) throws -> [UInt8] { try present(column, optionalBytes(column)) }

    private func value(_ column: Int) throws -> Value {
        guard values.indices.contains(column) else { throw unreadable(column, "the row has \(values.count) columns") }
        return values[column]
    }

    private func present<Value>(_ column: Int, _ value: Value?) throws -> Value {
        guard let value else { throw unreadable(column, "the value is null") }
        return value
    }

    private func unreadable(_ column: Int, _ reason: String) -> SQLiteError {
        SQLiteError(.corrupt, "cannot read column \(column) of a row: \(reason)")
    }
}
