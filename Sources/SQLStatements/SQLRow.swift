/// A row of a result. Columns have numbers from 0.
///
/// Each getter throws an error of the database if the column has another type. Those without `optional` also throw it for null.
package protocol SQLRow {
    func integer(_ column: Int) throws -> Int64
    func optionalInteger(_ column: Int) throws -> Int64?
    func boolean(_ column: Int) throws -> Bool
    func optionalBoolean(_ column: Int) throws -> Bool?
    func bytes(_ column: Int) throws -> [UInt8]
    func optionalBytes(_ column: Int) throws -> [UInt8]?
}

extension SQLRow {
    /// A text in UTF-8.
    package func utf8(_ column: Int) throws -> String { String(decoding: try bytes(column), as: UTF8.self) }

    /// A text in UTF-8, or `nil` for null.
    package func optionalUTF8(_ column: Int) throws -> String? {
        try optionalBytes(column).map { String(decoding: $0, as: UTF8.self) }
    }

    package func number(_ column: Int) throws -> Int { Int(try integer(column)) }
}
