package import Accounts
internal import BusinessLogic
internal import SessionStorage

/// The store of failed logins.
extension SQLDatabase {
    /// Changes the count of a key atomically, and writes only if the count has changed. Other changes of the same key, by any process, wait
    /// until the change is committed.
    ///
    /// In SQLite, a key without failures has no row. In PostgreSQL, it keeps its row, because an update changes no index, unlike a deletion
    /// and an insertion.
    public func update<Result: Sendable>(
        _ key: ThrottleKey,
        _ change: @escaping @Sendable (inout FailureCount) -> Result
    ) async throws -> Result {
        try await write(key: key.text, mode: .once) { db in
            let before = try ThrottleTable.count(db.batch(ThrottleTable.lock(key)).last?.first)
            var count = before
            let result = change(&count)
            guard count != before else { return result }
            let isDeleted = count == FailureCount() && !Self.keepsEmptyCounts
            try db.execute(isDeleted ? ThrottleTable.delete(key) : ThrottleTable.upsert(key, count))
            return result
        }
    }

    public func reset(_ key: ThrottleKey) async throws {
        guard let work = unitOfWork else { return try await update(key) { $0 = FailureCount() } }
        work.add { try $0.execute(ThrottleTable.delete(key)) }
    }
}
