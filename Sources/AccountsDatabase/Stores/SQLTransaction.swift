internal import SessionStorage
package import SQLStatements

/// What a transaction does: batches of statements, each of which can depend on the results of the batches before, and then a value.
package enum SQLTransaction<Rows, Value: Sendable>: Sendable {
    /// The transaction is complete.
    case finished(Value)
    /// Executes statements in their order, in PostgreSQL in one round trip, and continues with the rows of each statement.
    indirect case batch([SQLStep], next: @Sendable ([Rows]) throws -> SQLTransaction)

    /// Continues with another transaction, in the same transaction of the database.
    package func then<Next: Sendable>(
        _ next: @escaping @Sendable (Value) throws -> SQLTransaction<Rows, Next>
    ) -> SQLTransaction<Rows, Next> {
        switch self {
        case .finished(let value): .batch([]) { _ in try next(value) }
        case .batch(let steps, let following): .batch(steps) { try following($0).then(next) }
        }
    }
}

extension SQLTransaction where Value == Void {
    /// Executes statements, and ignores their rows.
    package static func execute(_ steps: [SQLStep]) -> SQLTransaction { .batch(steps) { _ in .finished(()) } }
}

/// A write that is executed with the commit of an event.
package struct SQLWrite<Rows>: StoreWrite {
    package let transaction: SQLTransaction<Rows, Void>
}
