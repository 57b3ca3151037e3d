internal import AccountsDatabase
internal import SQLStatements
internal import SQLite

extension SQLiteConnection {
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

    /// The first column of the first row that a statement returns, as an integer; `nil` if there is no row, or the column is null.
    func integer(_ sql: String) throws -> Int64? { try run(sql).first?.optionalInteger(0) }

    /// The first column of all rows that a statement returns, as texts.
    func texts(_ sql: String) throws -> [String] { try run(sql).map { try $0.text(0) } }

    /// The names of all tables.
    func tables() throws -> [String] { try texts("SELECT name FROM sqlite_master WHERE type = 'table'") }
}
