internal import Accounts
internal import AccountsDatabase
internal import BusinessLogic
public import SessionStorage
internal import SQLStatements
internal import SQLite

/// The sessions in a database.
struct SQLiteSessions: DatabaseSessions {
    let store: SQLiteDatabase
    let lastRevocation: @Sendable () -> Int

    func take(limit: Int, _ db: any SQLConnection) throws -> [StoredSession] {
        while true {
            let rows = try db.execute(SavedSessionTable.take(limit: limit))
            let deletions = try rows.map(SavedSessionTable.session).map(SavedSessionTable.delete)
            let sessions = try rows.filter { try !SavedSessionTable.isRevoked($0) }.map(SavedSessionTable.session)
            let ended = try rows.filter(SavedSessionTable.isRevoked).compactMap {
                try SavedSessionTable.session($0).key
            }
            try db.batch(deletions + ended.map(EndedSessionTable.insert))
            if rows.isEmpty || !sessions.isEmpty { return sessions }
        }
    }

    // MARK: Shared sessions

    /// The maximum number of sessions that one write removes, so that none takes long.
    private static let removedAtOnce = 500

    func find(_ id: [UInt8], unlessVersion known: Int) async throws -> SessionLookup {
        try await store.reading(of: .sessions) { try $0.session(id, unlessVersion: known) }
    }

    func versions(of ids: [[UInt8]]) async throws -> [[UInt8]: Int]? {
        try await store.reading(of: .sessions) { try $0.versions(of: ids) }
    }

    func commit(_ change: SessionChange, with writes: [any StoreWrite]) async throws -> CommitResult {
        do {
            return try await store.writing(of: .sessions) { try commit(change, writes, $0) }
        } catch is DataHaveChanged {
            return .conflict
        } catch is AccountConflict {
            return .conflict
        } catch let error as SessionsWereRevoked {
            return .revoked(last: error.last)
        }
    }

    private func commit(_ change: SessionChange, _ writes: [any StoreWrite], _ db: SQLiteConnection) throws
        -> CommitResult
    {
        guard try db.store(change) else {
            return try db.run(SharedSessionTable.contains(change))[0].boolean(0) ? .committed : .conflict
        }
        if let userChange = change.userChange {
            if let replaced = userChange.replacedID {
                try db.run(SharedSessionTable.insertReplacement(replaced, userChange))
            }
            if let user = change.session.user, let last = try db.run(RevocationTable.selectLast(of: user)).first,
                try last.number(0) > userChange.lastRevocation
            {
                throw SessionsWereRevoked(last: try last.number(1))
            }
        }
        for write in writes {
            guard let write = write as? SQLWrite else { throw DataHaveChanged() }
            try write.execute(db)
        }
        return .committed
    }

    func removeSessions(_ condition: SessionRemoval) async throws -> RemovedSessions {
        try await store.writing(of: .sessions) {
            _ = try $0.batch(SharedSessionTable.cleanTimes(condition, limit: Self.removedAtOnce))
        }
        var removed = RemovedSessions()
        removed.expired = try await remove { try $0.expiredSessions(condition, limit: Self.removedAtOnce) }
        removed.evicted = try await remove { try $0.excessSessionsOfAddresses(condition, limit: Self.removedAtOnce) }
        removed.evicted += try await remove { try $0.excessSessions(condition, limit: Self.removedAtOnce) }
        return removed
    }

    /// Deletes the sessions that `select` returns, until it returns none. The selection is a read, which delays no writes.
    private func remove(
        _ select: @Sendable (SQLiteConnection) throws -> [SQLiteConnection.Candidate]
    ) async throws -> Int {
        var count = 0
        while true {
            let candidates = try await store.reading(of: .sessions) { try select($0) }
            guard !candidates.isEmpty else { return count }
            let removed = try await store.writing(of: .sessions) { try $0.delete(candidates) }
            guard removed > 0 else { return count }
            count += removed
        }
    }
}

extension SQLiteDatabase {
    /// The sessions that a server has saved when it stopped, and those that servers share.
    ///
    /// - Parameter lastRevocation: returns the number of the last revocation that the server has applied to its sessions. If a later
    ///   one concerns the user of a saved session, the session is not returned.
    public func sessions(lastRevocation: @escaping @Sendable () -> Int) -> any SessionStore {
        SQLiteSessions(store: self, lastRevocation: lastRevocation)
    }
}
