public import Accounts
internal import AccountsDatabase
internal import SessionStorage

extension PostgreSQLDatabase: ThrottleStore {
    /// Changes the count of a key atomically. A key with an empty count keeps its row, because an update changes no index, unlike a deletion and
    /// an insertion. Other changes of the same key, on any server, wait until the change is committed.
    public func update<Result: Sendable>(
        _ key: ThrottleKey,
        _ change: @Sendable (inout FailureCount) -> Result
    ) async throws -> Result {
        try await write(key: key.text, repeatingConflicts: false) { transaction in
            let before = try ThrottleTable.count(try await transaction.batch(ThrottleTable.lock(key))[1].first)
            var count = before
            let result = change(&count)
            if count != before { try await transaction.execute(ThrottleTable.upsert(key, count)) }
            return result
        }
    }
}

extension PostgreSQLDatabase {
    public func reset(_ key: ThrottleKey) async throws {
        guard let work = unitOfWork else { return try await update(key) { $0 = FailureCount() } }
        work.add(PostgreSQLWrite { try await $0.execute(ThrottleTable.delete(key)) })
    }
}
