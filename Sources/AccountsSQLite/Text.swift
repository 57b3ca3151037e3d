internal import Foundation
internal import GRDB

/// Texts that may contain NUL. GRDB cuts a text at its first NUL when it binds or reads the text. Therefore the SQL writes a
/// text as `CAST(? AS TEXT)` and reads it as `CAST(… AS BLOB)`.
extension String {
    /// The argument for `CAST(? AS TEXT)`.
    var bound: DatabaseValue {
        utf8.contains(0) ? Data(utf8).databaseValue : databaseValue
    }
}

extension Row {
    /// The text in a column that the SQL reads as a blob; `nil` for NULL.
    func optionalText(_ column: Int) -> String? {
        Data.fromDatabaseValue(databaseValue(column)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The text in a column that the SQL reads as a blob.
    ///
    /// - Throws: `DatabaseError` for NULL, which the schema rules out.
    func text(_ column: Int) throws -> String {
        guard let text = optionalText(column) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return text
    }

    /// The bytes in a column; `nil` for NULL.
    func optionalBytes(_ column: Int) -> [UInt8]? {
        Data.fromDatabaseValue(databaseValue(column)).map(Array.init)
    }

    /// The bytes in a column.
    ///
    /// - Throws: `DatabaseError` for NULL, which the schema rules out.
    func bytes(_ column: Int) throws -> Data {
        guard let bytes = Data.fromDatabaseValue(databaseValue(column)) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        return bytes
    }

    /// The number in a column; `nil` for NULL.
    func optionalNumber(_ column: Int) -> Int64? {
        Int64.fromDatabaseValue(databaseValue(column))
    }

    /// The number in a column.
    ///
    /// - Throws: `DatabaseError` for NULL, which the schema rules out.
    func number(_ column: Int) throws -> Int64 {
        guard let number = optionalNumber(column) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return number
    }

    private func databaseValue(_ column: Int) -> DatabaseValue {
        self[column]
    }
}
