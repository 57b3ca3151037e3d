internal import GRDB
internal import SessionStorage

/// A write that is executed with the commit of an event.
struct SQLiteWrite: StoreWrite {
    let execute: @Sendable (Database) throws -> Void
}

extension SQLiteDatabase {
    /// The unit of work of the current event, if its writes are executed in this database.
    var unitOfWork: UnitOfWork? { UnitOfWork.current(in: self) }
}
