import AccountsDatabase
import CPostgreSQL

extension SQLRow {
    static func rows(of result: OpaquePointer) -> [SQLRow] {
        (0..<PQntuples(result)).map { row in SQLRow((0..<PQnfields(result)).map { value(result, row, $0) }) }
    }

    /// A value; `nil` if rows do not decode its type: cast it in the SQL. For example, a `sum` of `bigint` is `numeric`.
    private static func value(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> SQLValue? {
        if PQgetisnull(result, row, column) == 1 { return .null }
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column),
            count: Int(PQgetlength(result, row, column))
        )
        return switch (ColumnType(rawValue: PQftype(result, column)), bytes.count) {
        case (.boolean, 1): .boolean(bytes[0] != 0)
        case (.int8, 8): .integer(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case (.int4, 4): .integer(Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))))
        case (.int2, 2): .integer(Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self))))
        case (.bytes, _): .bytes(Array(bytes))
        case (.text, _), (.name, _): String(validating: bytes, as: UTF8.self).map { .text($0) }
        default: nil
        }
    }
}

/// A type of column that rows decode, with its number in PostgreSQL's catalogue `pg_type`.
private enum ColumnType: Oid {
    case boolean = 16
    case bytes = 17
    case name = 19
    case int8 = 20
    case int2 = 21
    case int4 = 23
    case text = 25
}
