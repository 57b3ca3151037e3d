import SessionStorage

/// A connection that executes statements, in a transaction or to read. Its methods wait for the database, so only the thread of the connection
/// calls them.
package protocol SQLConnection {
    /// Executes statements in their order, in PostgreSQL in one round trip, and returns the rows of each.
    @discardableResult
    func batch(_ steps: [SQLStep]) throws -> [[SQLRow]]
}

extension SQLConnection {
    @discardableResult
    package func execute(_ step: SQLStep) throws -> [SQLRow] { try batch([step])[0] }
}

/// How a transaction is executed.
package enum WriteMode: Equatable, Sendable {
    /// Executes it again if the database has rolled it back because of a deadlock.
    case repeatable
    case once
    /// Executes it again if it is unknown whether it was committed, because it recognises that.
    ///
    /// `isBatch` says whether it is one batch, so that PostgreSQL needs no other round trip to begin and to commit it.
    case recognising(isBatch: Bool)
}

/// A write that is executed with the commit of an event.
package struct SQLWrite: StoreWrite {
    package let execute: @Sendable (any SQLConnection) throws -> Void
}
