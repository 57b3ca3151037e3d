public import Accounts
internal import BusinessLogic
internal import GRDB
internal import SessionStorage

extension SQLiteDatabase: ThrottleStore {
    /// Changes the count of a key atomically. Syncs the disk once if the count has changed, otherwise not at all.
    public func update<Result: Sendable>(
        _ key: ThrottleKey,
        _ change: @Sendable (inout FailureCount) -> Result
    ) async throws -> Result {
        try await write { db in
            let table = ThrottleTable(db: db)
            let count = try table.select(key)
            var changed = count
            let result = change(&changed)
            if changed == FailureCount() {
                if count != changed { try table.delete(key) }
            } else if count != changed {
                try table.upsert(key, changed)
            }
            return result
        }
    }
}

extension SQLiteDatabase {
    public func reset(_ key: ThrottleKey) async throws {
        guard let work = unitOfWork else { return try await update(key) { $0 = FailureCount() } }
        work.add(SQLiteWrite { try ThrottleTable(db: $0).delete(key) })
    }
}

/// The SQL of the table `throttle`. A key without failures has no row.
struct ThrottleTable {
    let db: Database

    /// The count of a key.
    func select(_ key: ThrottleKey) throws -> FailureCount {
        let statement = try db.cachedStatement(
            sql: "SELECT failures, last_failure, refused FROM throttle WHERE key = CAST(? AS TEXT)"
        )
        guard let row = try Row.fetchOne(statement, arguments: [key.text.bound]) else { return FailureCount() }
        return FailureCount(
            failures: FailureCount.stored(try row.number(0)),
            lastFailure: row.optionalNumber(1).map { Timestamp(milliseconds: $0) },
            refused: Int(try row.number(2))
        )
    }

    /// Saves the count of a key.
    func upsert(_ key: ThrottleKey, _ count: FailureCount) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO throttle (key, failures, last_failure, refused) VALUES (CAST(? AS TEXT), ?, ?, ?)
                ON CONFLICT (key) DO UPDATE SET
                    failures = excluded.failures, last_failure = excluded.last_failure, refused = excluded.refused
                """
        )
        try statement.execute(arguments: [
            key.text.bound, count.failures, count.lastFailure?.milliseconds, count.refused,
        ])
    }

    /// Deletes the count of a key.
    func delete(_ key: ThrottleKey) throws {
        try db.execute(sql: "DELETE FROM throttle WHERE key = CAST(? AS TEXT)", arguments: [key.text.bound])
    }
}
