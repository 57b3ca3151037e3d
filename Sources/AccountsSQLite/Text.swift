internal import Foundation
internal import GRDB

/// Texts with all their bytes. GRDB ends a text at a NUL, both where it binds one and where it reads one; therefore a text
/// is written as `CAST(? AS TEXT)` and read as `CAST(… AS BLOB)`.
extension String {
    /// The text for `CAST(? AS TEXT)`.
    var bound: DatabaseValue {
        utf8.contains(0) ? Data(utf8).databaseValue : databaseValue
    }
}

extension Row {
    /// The text in that column, which is read as a blob; `nil` for NULL.
    func optionalText(_ column: Int) -> String? {
        Data.fromDatabaseValue(databaseValue(column)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The text in that column, which is read as a blob.
    ///
    /// - Throws: `DatabaseError` where there is none, which the tables rule out.
    func text(_ column: Int) throws -> String {
        guard let text = optionalText(column) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return text
    }

    /// The number in that column; `nil` for NULL.
    func optionalNumber(_ column: Int) -> Int64? {
        Int64.fromDatabaseValue(databaseValue(column))
    }

    /// The number in that column.
    ///
    /// - Throws: `DatabaseError` where there is none, which the tables rule out.
    func number(_ column: Int) throws -> Int64 {
        guard let number = optionalNumber(column) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return number
    }

    private func databaseValue(_ column: Int) -> DatabaseValue {
        self[column]
    }
}
