internal import AccountsDatabase
internal import PostgreSQL
internal import Synchronization

extension PostgreSQLRow: SQLRow {}

extension SQLStep {
    var postgreSQL: PostgreSQLStep { PostgreSQLStep(statement.postgreSQL, parameters.map(\.postgreSQL)) }
}

extension SQLStatement {
    /// The statements that have been executed, each of which PostgreSQL prepares once.
    private static let executed = Mutex<[ObjectIdentifier: PostgreSQLStatement]>([:])

    fileprivate var postgreSQL: PostgreSQLStatement {
        Self.executed.withLock { executed in
            if let statement = executed[ObjectIdentifier(self)] { return statement }
            let statement = PostgreSQLStatement(name: name, isReadOnly: isReadOnly, sql: text.postgreSQL)
            executed[ObjectIdentifier(self)] = statement
            return statement
        }
    }
}

extension SQLValue {
    fileprivate var postgreSQL: PostgreSQLValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .bytes(let bytes): .bytes(bytes)
        case .boolean(let value): .boolean(value)
        }
    }
}
