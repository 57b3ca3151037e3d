public import Accounts
internal import AccountsDatabase
internal import GRDB
internal import SessionStorage

extension SQLiteDatabase: ThrottleStore {
    /// Changes the count of a key atomically. Syncs the disk once if the count has changed, otherwise not at all. A key without
    /// failures has no row.
    public func update<Result: Sendable>(
        _ key: ThrottleKey,
        _ change: @Sendable (inout FailureCount) -> Result
    ) async throws -> Result {
        try await write { db in
            let count = try ThrottleTable.count(db.run(ThrottleTable.select(key)).first)
            var changed = count
            let result = change(&changed)
            if count != changed {
                try db.run(changed == FailureCount() ? ThrottleTable.delete(key) : ThrottleTable.upsert(key, changed))
            }
            return result
        }
    }
}

extension SQLiteDatabase {
    public func reset(_ key: ThrottleKey) async throws {
        guard let work = unitOfWork else { return try await update(key) { $0 = FailureCount() } }
        work.add(SQLiteWrite { try $0.run(ThrottleTable.delete(key)) })
    }
}
