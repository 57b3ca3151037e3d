/// How far a transaction is isolated from others.
package enum PostgreSQLIsolation: Sendable {
    /// Each statement sees what was committed before it.
    case readCommitted
    /// All statements see what was committed before the first. An update of a row that another transaction has changed since fails.
    case repeatableRead
    /// The transactions have an effect as if they ran one at a time. Any statement or the commit may fail with SQLSTATE 40001: see
    /// ``PostgreSQLServerError/isTransactionConflict``.
    case serializable

    /// The statement that begins a transaction.
    var begin: PostgreSQLStatement {
        switch self {
        case .readCommitted: Self.beginReadCommitted
        case .repeatableRead: Self.beginRepeatableRead
        case .serializable: Self.beginSerializable
        }
    }

    private static let beginReadCommitted = begin("READ COMMITTED")
    private static let beginRepeatableRead = begin("REPEATABLE READ")
    private static let beginSerializable = begin("SERIALIZABLE")

    private static func begin(_ level: String) -> PostgreSQLStatement {
        PostgreSQLStatement(name: "begin", isReadOnly: true, sql: "BEGIN ISOLATION LEVEL \(level)")
    }
}
