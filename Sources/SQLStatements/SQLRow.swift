/// A row of a result. Columns have numbers from 0.
///
/// Each getter throws an error of the database if the column has another type. Those without `optional` also throw it for null.
public protocol SQLRow {
    /// An integer.
    func integer(_ column: Int) throws -> Int64
    /// An integer, or `nil` for null.
    func optionalInteger(_ column: Int) throws -> Int64?
    /// A Boolean value.
    func boolean(_ column: Int) throws -> Bool
    /// A Boolean value, or `nil` for null.
    func optionalBoolean(_ column: Int) throws -> Bool?
    /// Bytes: of a `bytea`, or of a `BLOB`.
    func bytes(_ column: Int) throws -> [UInt8]
    /// Bytes, or `nil` for null.
    func optionalBytes(_ column: Int) throws -> [UInt8]?
}

extension SQLRow {
    /// A text in UTF-8.
    public func utf8(_ column: Int) throws -> String { String(decoding: try bytes(column), as: UTF8.self) }

    /// A text in UTF-8, or `nil` for null.
    public func optionalUTF8(_ column: Int) throws -> String? {
        try optionalBytes(column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// An integer.
    public func number(_ column: Int) throws -> Int { Int(try integer(column)) }
}
