/// A parameter of a statement.
///
/// The server infers a parameter's type from the SQL. If it cannot, write a cast: `$1::bigint`.
package enum PostgreSQLValue: Sendable, Equatable {
    case null
    /// Any type, in PostgreSQL's text format. The text must not contain a NUL character.
    case text(String)
    /// Any type of number, rounded by the server if the type has fewer digits.
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    /// A `bytea`, or a `text` that is UTF-8.
    case bytes([UInt8])
    /// A `timestamptz` or `timestamp`, in microseconds since 1970 in UTC.
    case timestamp(microseconds: Int64)
}

extension PostgreSQLValue: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
}

extension PostgreSQLValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension PostgreSQLValue: ExpressibleByFloatLiteral {
    package init(floatLiteral value: Double) { self = .double(value) }
}

extension PostgreSQLValue: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension PostgreSQLValue: ExpressibleByNilLiteral {
    package init(nilLiteral: ()) { self = .null }
}
