internal import CPostgreSQL
internal import AccountsDatabase

/// A row of a result. Columns have numbers from 0.
///
/// Each getter throws ``PostgreSQLError/unreadableValue(column:reason:)`` if the column does not exist, is null or has another type. The
/// methods whose name begins with `optional` return `nil` for null.
package struct PostgreSQLRow: SQLRow, Sendable {
    let result: PostgreSQLResult
    let number: Int32

    /// Returns a `smallint`, `integer` or `bigint`. A `sum` of `bigint` is `numeric`: cast it in the SQL.
    package func integer(_ column: Int) throws -> Int64 { try present(column, optionalInteger(column)) }

    /// Returns a `text` or `name`. Cast other types to `text` in the SQL.
    package func text(_ column: Int) throws -> String { try present(column, optionalText(column)) }

    /// Returns a `boolean`.
    package func boolean(_ column: Int) throws -> Bool { try present(column, optionalBoolean(column)) }

    /// Returns a `bytea`.
    package func bytes(_ column: Int) throws -> [UInt8] { try present(column, optionalBytes(column)) }

    /// Returns an integer, or `nil` for null.
    package func optionalInteger(_ column: Int) throws -> Int64? {
        try decode(column, "an integer") { type, bytes in
            switch (type, bytes.count) {
            case (.int8, 8): Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
            case (.int4, 4): Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
            case (.int2, 2): Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
            default: nil
            }
        }
    }

    /// Returns a text, or `nil` for null.
    package func optionalText(_ column: Int) throws -> String? {
        try decode(column, "UTF-8 text") { type, bytes in
            type == .text || type == .name ? String(validating: bytes, as: UTF8.self) : nil
        }
    }

    /// Returns a Boolean value, or `nil` for null.
    package func optionalBoolean(_ column: Int) throws -> Bool? {
        try decode(column, "a Boolean value") { type, bytes in
            type == .boolean && bytes.count == 1 ? bytes[0] != 0 : nil
        }
    }

    /// Returns bytes, or `nil` for null.
    package func optionalBytes(_ column: Int) throws -> [UInt8]? {
        try decode(column, "bytes") { type, bytes in
            type == .bytes ? Array(bytes) : nil
        }
    }

    private func present<Value>(_ column: Int, _ value: Value?) throws -> Value {
        guard let value else { throw PostgreSQLError.unreadableValue(column: column, reason: "the value is null") }
        return value
    }

    private func decode<Value>(
        _ column: Int,
        _ expected: String,
        _ read: (ColumnType?, UnsafeRawBufferPointer) -> Value?
    ) throws -> Value? {
        guard column >= 0, column < result.columnCount else {
            let count = result.columnCount
            throw PostgreSQLError.unreadableValue(column: column, reason: "the result has \(count) columns")
        }
        let index = Int32(column)
        guard PQgetisnull(result.pointer, number, index) == 0 else { return nil }
        let type = PQftype(result.pointer, index)
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result.pointer, number, index),
            count: Int(PQgetlength(result.pointer, number, index))
        )
        guard let value = read(ColumnType(rawValue: type), bytes) else {
            let found = ColumnType(rawValue: type).map { "\($0)" } ?? "with the number \(type) in pg_type"
            throw PostgreSQLError.unreadableValue(
                column: column,
                reason: "expected \(expected), received the type \(found) with \(bytes.count) bytes"
            )
        }
        return value
    }
}
