internal import Accounts
internal import AccountsDatabase
internal import BusinessLogic
internal import PostgreSQL
public import SessionStorage
internal import SQLStatements

/// The sessions in a database.
struct PostgreSQLSessions: DatabaseSessions {
    let store: PostgreSQLDatabase
    let lastRevocation: @Sendable () -> Int

    func take(limit: Int, _ db: any SQLConnection) throws -> [StoredSession] {
        while true {
            let rows = try db.execute(SavedSessionTable.take(limit: limit))
            let sessions = try rows.filter { try !SavedSessionTable.isRevoked($0) }.map(SavedSessionTable.session)
            let ended = try rows.filter(SavedSessionTable.isRevoked).compactMap {
                try SavedSessionTable.session($0).key
            }
            try db.batch(ended.map(EndedSessionTable.insert))
            if rows.isEmpty || !sessions.isEmpty { return sessions }
        }
    }

    // MARK: Shared sessions

    /// The maximum number of sessions that one transaction removes, so that none takes long.
    private static let removedAtOnce = 500

    func find(_ id: [UInt8], unlessVersion known: Int) async throws -> SessionLookup {
        let query = SharedSessionTable.find(id, unlessVersion: known)
        return try await store.reportingErrors(.read(.sessions)) {
            try SharedSessionTable.lookup(try await store.pool.execute(query), id, unlessVersion: known)
        }
    }

    func versions(of ids: [[UInt8]]) async throws -> [[UInt8]: Int]? {
        let query = SharedSessionTable.versions(of: ids)
        return try await store.read(of: .sessions) { db in
            Dictionary(try db.execute(query).map { (try $0.bytes(0), try $0.number(1)) }) { $1 }
        }
    }

    func commit(_ change: SessionChange, with writes: [any StoreWrite]) async throws -> CommitResult {
        try await store.reportingErrors(.write(.sessions)) {
            var attempts = 3
            while true {
                attempts -= 1
                do {
                    return try await commitOnce(change, writes)
                } catch PostgreSQLError.outcomeUnknown where attempts > 0 {
                    // The store recognises a change that has been committed.
                    continue
                }
            }
        }
    }

    private func commitOnce(_ change: SessionChange, _ writes: [any StoreWrite]) async throws -> CommitResult {
        do {
            if change.userChange == nil, change.oldestEvent == 0, writes.isEmpty {
                // One statement in one round trip.
                let stored = try await store.pool.execute(SharedSessionTable.store(change)).affectedRows > 0
                return stored ? .committed : try await resultOfUnstored(change)
            }
            // Only a login waits for other transactions of the same user.
            let key = change.userChange.flatMap { _ in change.session.user }.map { "user:\($0)" }
            return try await WriteTransaction.run(store.pool, deadline: nil, key: key) { transaction in
                try commit(change, writes, in: transaction)
                return .committed
            }
        } catch is DataHaveChanged {
            return try await resultOfUnstored(change)
        } catch is AccountConflict {
            return .conflict
        } catch let error as SessionsWereRevoked {
            return .revoked(last: error.last)
        } catch PostgreSQLError.server(let error) where error.isTransactionConflict || error.sqlState == "23505" {
            return .conflict
        }
    }

    private func commit(_ change: SessionChange, _ writes: [any StoreWrite], in transaction: WriteTransaction) throws {
        // The lock comes first, so that the next statements see what its former owner has committed.
        if change.userChange != nil, let user = change.session.user {
            try transaction.results([RevocationTable.lock(user)])
        }
        let results = try transaction.results(steps(of: change))
        guard results[0].affectedRows > 0 else { throw DataHaveChanged() }
        if let userChange = change.userChange, change.session.user != nil, let row = results.last?.first {
            let last = try row.number(1)
            if try row.number(0) > userChange.lastRevocation { throw SessionsWereRevoked(last: last) }
        }
        for write in writes {
            guard let write = write as? SQLWrite else { throw DataHaveChanged() }
            try write.execute(transaction)
        }
    }

    /// The statements that store a change. The first one stores the session; the last one of a login reads the last revocation.
    private func steps(of change: SessionChange) -> [SQLStep] {
        var steps = [SharedSessionTable.store(change)]
        if change.oldestEvent > 0 { steps.append(SharedSessionTable.deleteEvents(change)) }
        if let userChange = change.userChange {
            if let replaced = userChange.replacedID {
                steps.append(SharedSessionTable.insertReplacement(replaced, userChange))
            }
            if let user = change.session.user { steps.append(RevocationTable.selectLast(of: user)) }
        }
        return steps
    }

    /// The result of a commit that has found another version of the session, perhaps because it has been repeated.
    private func resultOfUnstored(_ change: SessionChange) async throws -> CommitResult {
        try await store.pool.execute(SharedSessionTable.contains(change))[0].boolean(0)
            ? .committed : .conflict
    }

    func removeSessions(_ condition: SessionRemoval) async throws -> RemovedSessions {
        let limit = Self.removedAtOnce
        try await store.write(of: .sessions, SharedSessionTable.cleanTimes(condition, limit: limit))
        var removed = RemovedSessions()
        removed.expired = try await removeAll(SharedSessionTable.deleteExpired(condition, limit: limit))
        if let maximum = condition.maximumPerAddress {
            removed.evicted = try await removeAll(SharedSessionTable.deleteExcessOfAddresses(maximum, limit: limit))
        }
        removed.evicted += try await removeAll(SharedSessionTable.deleteExcess(condition, limit: limit))
        return removed
    }

    /// Executes a statement that removes sessions until it finds none.
    ///
    /// - Returns: the number of sessions.
    private func removeAll(_ step: SQLStep) async throws -> Int {
        var count = 0
        while true {
            let removed = try await store.write(of: .sessions) { try $0.execute(step).count }
            guard removed > 0 else { return count }
            count += removed
        }
    }
}

extension PostgreSQLDatabase {
    /// The sessions that servers have saved when they stopped, and those that servers share.
    ///
    /// - Parameter lastRevocation: returns the number of the last revocation that the server has applied to its sessions. If a later
    ///   one concerns the user of a saved session, the session is not returned.
    public func sessions(lastRevocation: @escaping @Sendable () -> Int) -> any SessionStore {
        PostgreSQLSessions(store: self, lastRevocation: lastRevocation)
    }
}
