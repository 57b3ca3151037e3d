internal import AccountsDatabase
internal import Foundation
internal import GRDB
internal import SQLStatements

/// A row that SQLite has returned.
package struct SQLiteRow: SQLRow {
    fileprivate let row: Row

    package func optionalInteger(_ column: Int) -> Int64? { Int64.fromDatabaseValue(row[column]) }

    package func optionalBoolean(_ column: Int) -> Bool? { optionalInteger(column).map { $0 != 0 } }

    package func optionalText(_ column: Int) -> String? { String.fromDatabaseValue(row[column]) }

    package func optionalBytes(_ column: Int) -> [UInt8]? { Data.fromDatabaseValue(row[column]).map(Array.init) }

    package func integer(_ column: Int) throws -> Int64 { try present(optionalInteger(column)) }

    package func boolean(_ column: Int) throws -> Bool { try present(optionalBoolean(column)) }

    package func text(_ column: Int) throws -> String { try present(optionalText(column)) }

    package func bytes(_ column: Int) throws -> [UInt8] { try present(optionalBytes(column)) }

    /// - Throws: `DatabaseError` for NULL, which the schema rules out.
    private func present<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return value
    }
}

extension Database {
    /// Executes a statement, and returns its rows.
    @discardableResult
    func run(_ step: SQLStep) throws -> [SQLiteRow] {
        let sql = step.statement.text.sqlite
        return sql.isEmpty ? [] : try run(sql, step.parameters)
    }

    /// Executes a transaction, in the transaction of the database that the caller has begun.
    func run<Value>(_ transaction: SQLTransaction<[SQLiteRow], Value>) throws -> Value {
        var transaction = transaction
        while true {
            switch transaction {
            case .finished(let value): return value
            case .batch(let steps, let next): transaction = try next(steps.map { try run($0) })
            }
        }
    }

    /// Executes a statement that only SQLite executes in this way, and returns its rows.
    @discardableResult
    func run(_ sql: String, _ parameters: SQLValue...) throws -> [SQLiteRow] { try run(sql, parameters) }

    func run(_ sql: String, _ parameters: [SQLValue]) throws -> [SQLiteRow] {
        if let index = parameters.firstIndex(where: \.containsNUL) {
            // GRDB would cut the text there.
            let message = "the text of parameter \(index + 1) contains U+0000"
            throw DatabaseError(resultCode: .SQLITE_MISMATCH, message: message, sql: sql)
        }
        let statement = try cachedStatement(sql: sql)
        let arguments = StatementArguments(parameters.map(\.databaseValue))
        if statement.columnCount > 0 { return try Row.fetchAll(statement, arguments: arguments).map(SQLiteRow.init) }
        try statement.execute(arguments: arguments)
        return []
    }
}

extension SQLValue {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        case .text(let text): text.databaseValue
        case .boolean(let value): value.databaseValue
        }
    }
}
