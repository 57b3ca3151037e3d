/// A parameter of a statement, or a value in a column of a database.
///
/// PostgreSQL infers a parameter's type from the SQL. If it cannot, write a cast: `$1::bigint`.
public enum SQLValue: Equatable, Sendable {
    /// No value.
    case null
    /// An integer.
    case integer(Int64)
    /// Bytes.
    case bytes([UInt8])
    /// A text, which must not contain U+0000: PostgreSQL rejects it, and functions of SQLite cut it. A statement with such a text fails.
    case text(String)
    /// A Boolean value.
    case boolean(Bool)
}
