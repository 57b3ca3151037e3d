package import AccountsDatabase

extension SQLiteConnection: SQLConnection {
    package func batch(_ steps: [SQLStep]) throws -> [[SQLRow]] { try steps.map { try run($0) } }

    /// Executes a statement, and returns its rows.
    @discardableResult
    func run(_ step: SQLStep) throws -> [SQLRow] {
        let sql = step.statement.text.sqlite
        return sql.isEmpty ? [] : try run(sql, step.parameters)
    }

    /// The first column of the first row that a statement returns, as an integer; `nil` if there is no row, or the column is null.
    func integer(_ sql: String) throws -> Int64? { try run(sql).first?.optionalInteger(0) }

    /// The first column of all rows that a statement returns, as texts.
    func texts(_ sql: String) throws -> [String] { try run(sql).map { try $0.text(0) } }

    /// The names of all tables.
    func tables() throws -> [String] { try texts("SELECT name FROM sqlite_master WHERE type = 'table'") }
}
