/// A parameter of a statement, or a value in a column of a database.
///
/// PostgreSQL infers a parameter's type from the SQL. If it cannot, write a cast: `$1::bigint`.
public enum SQLValue: Equatable, Sendable {
    /// No value.
    case null
    /// An integer.
    case integer(Int64)
    /// Bytes, or a text in UTF-8.
    case bytes([UInt8])
    /// A Boolean value.
    case boolean(Bool)

    /// Bytes, or null.
    public static func bytes(_ bytes: [UInt8]?) -> SQLValue { bytes.map { .bytes($0) } ?? .null }

    /// A text.
    public static func utf8(_ text: String) -> SQLValue { .bytes(Array(text.utf8)) }

    /// A text, or null.
    public static func utf8(_ text: String?) -> SQLValue { text.map { utf8($0) } ?? .null }

    /// An integer.
    public static func number(_ number: Int) -> SQLValue { .integer(Int64(number)) }
}
