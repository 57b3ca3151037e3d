package import BusinessLogic

/// A row of a result. Columns have numbers from 0.
///
/// Each getter throws an error if the column does not exist or has another type. Those without `optional` also throw it for
/// null.
public struct SQLRow: Sendable {
    /// `nil` for a value of a type that `SQLValue` does not have.
    private let values: [SQLValue?]

    package init(_ values: [SQLValue?]) {
        self.values = values
    }

    /// An integer.
    public func integer(_ column: Int) throws -> Int64 { try present(column, optionalInteger(column)) }

    /// An integer.
    public func number(_ column: Int) throws -> Int { Int(try integer(column)) }

    /// A Boolean value.
    public func boolean(_ column: Int) throws -> Bool { try present(column, optionalBoolean(column)) }

    /// A text.
    public func text(_ column: Int) throws -> String { try present(column, optionalText(column)) }

    /// Bytes: of a `bytea`, or of a `BLOB`.
    public func bytes(_ column: Int) throws -> [UInt8] { try present(column, optionalBytes(column)) }

    /// An integer, or `nil` for null.
    public func optionalInteger(_ column: Int) throws -> Int64? {
        try read(column, "an integer") { if case .integer(let integer) = $0 { integer } else { nil } }
    }

    /// A Boolean value, or `nil` for null. In SQLite, it is whether an integer is not zero.
    public func optionalBoolean(_ column: Int) throws -> Bool? {
        try read(column, "a Boolean value") { value in
            switch value {
            case .boolean(let boolean): boolean
            case .integer(let integer): integer != 0
            default: nil
            }
        }
    }

    /// A text, or `nil` for null. In SQLite, U+FFFD replaces what is not UTF-8.
    public func optionalText(_ column: Int) throws -> String? {
        try read(column, "a text") { if case .text(let text) = $0 { text } else { nil } }
    }

    /// Bytes, or `nil` for null.
    public func optionalBytes(_ column: Int) throws -> [UInt8]? {
        try read(column, "bytes") { if case .bytes(let bytes) = $0 { bytes } else { nil } }
    }

    private func read<Value>(_ column: Int, _ expected: String, _ value: (SQLValue) -> Value?) throws -> Value? {
        guard values.indices.contains(column) else {
            throw SQLValueError(column: column, "the row has \(values.count) columns")
        }
        if case .null = values[column] { return nil }
        guard let value = values[column].flatMap(value) else {
            throw SQLValueError(column: column, "expected \(expected), received another type")
        }
        return value
    }

    private func present<Value>(_ column: Int, _ value: Value?) throws -> Value {
        guard let value else { throw SQLValueError(column: column, "the value is null") }
        return value
    }

    /// All values, of which Boolean ones are 0 and 1 as in SQLite.
    package func all() throws -> [SQLValue] {
        try values.enumerated().map { column, value in
            guard let value else { throw SQLValueError(column: column, "its type is not that of a value") }
            return if case .boolean(let boolean) = value { .integer(boolean ? 1 : 0) } else { value }
        }
    }

    /// A time in milliseconds.
    package func time(_ column: Int) throws -> Timestamp { Timestamp(milliseconds: try integer(column)) }

    package func optionalTime(_ column: Int) throws -> Timestamp? {
        try optionalInteger(column).map { Timestamp(milliseconds: $0) }
    }
}
