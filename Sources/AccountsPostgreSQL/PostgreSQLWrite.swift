internal import SessionStorage

/// A write that is executed with the commit of an event.
struct PostgreSQLWrite: StoreWrite {
    let execute: @Sendable (WriteTransaction) async throws -> Void
}

extension PostgreSQLDatabase {
    /// The unit of work of the current event, if its writes are executed in this database.
    var unitOfWork: UnitOfWork? { UnitOfWork.current(in: self) }
}
