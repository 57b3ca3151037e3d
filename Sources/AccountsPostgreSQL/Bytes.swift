internal import BusinessLogic
internal import PostgreSQL

// PostgreSQL's type `text` cannot contain NUL. Therefore texts that a client can choose are in columns of the type `bytea`, in UTF-8. They
// are compared byte by byte.

extension PostgreSQLValue {
    /// A text for a `bytea`.
    static func utf8(_ text: String) -> PostgreSQLValue { .bytes(Array(text.utf8)) }

    /// A text for a `bytea`, or null.
    static func utf8(_ text: String?) -> PostgreSQLValue { text.map { utf8($0) } ?? .null }

    /// A number for a `bigint`.
    static func number(_ number: Int) -> PostgreSQLValue { .integer(Int64(number)) }

    /// A time for a `bigint` that counts milliseconds. A `timestamptz` has a smaller range.
    static func time(_ time: Timestamp) -> PostgreSQLValue { .integer(time.milliseconds) }
}

extension PostgreSQLRow {
    /// The text in a `bytea`.
    func utf8(_ column: Int) throws -> String { String(decoding: try bytes(column), as: UTF8.self) }

    /// The text in a `bytea`, or `nil` for null.
    func optionalUTF8(_ column: Int) throws -> String? {
        try optionalBytes(column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The number in a `bigint`.
    func number(_ column: Int) throws -> Int { Int(try integer(column)) }

    /// The time in a `bigint` that counts milliseconds.
    func time(_ column: Int) throws -> Timestamp { Timestamp(milliseconds: try integer(column)) }
}
