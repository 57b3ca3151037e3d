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
    /// A text.
    func text(_ column: Int) throws -> String
    /// A text, or `nil` for null.
    func optionalText(_ column: Int) throws -> String?
    /// Bytes: of a `bytea`, or of a `BLOB`.
    func bytes(_ column: Int) throws -> [UInt8]
    /// Bytes, or `nil` for null.
    func optionalBytes(_ column: Int) throws -> [UInt8]?
}

extension SQLRow {
    /// An integer.
    public func number(_ column: Int) throws -> Int { Int(try integer(column)) }
}
