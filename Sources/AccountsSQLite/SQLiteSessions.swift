internal import Accounts
internal import BusinessLogic
internal import GRDB
public import SessionStorage

/// The sessions in a database.
struct SQLiteSessions: SessionStore {
    let file: SQLiteDatabase
    /// The number of the last revocation that the server has applied to its sessions.
    let lastRevocation: @Sendable () -> Int

    func save(_ sessions: [StoredSession]) async throws {
        let revocation = lastRevocation()
        try await file.write { db in
            let table = SavedSessionTable(db: db)
            for session in sessions { try table.insert(session, revocation: revocation) }
        }
    }

    func take(limit: Int) async throws -> [StoredSession] {
        try await file.write { db in
            let table = SavedSessionTable(db: db)
            while true {
                let rows = try table.select(limit: max(1, limit))
                for row in rows { try table.delete(row.session) }
                let sessions = rows.filter { !$0.isRevoked }.map(\.session)
                if rows.isEmpty || !sessions.isEmpty { return sessions }
            }
        }
    }

    // MARK: Shared sessions

    /// The maximum number of sessions that one call removes, so that no write takes long.
    private static let removedAtOnce = 500

    var database: ObjectIdentifier? { ObjectIdentifier(file) }

    func find(_ id: [UInt8], unlessVersion known: Int) async throws -> SessionLookup {
        try await file.read { try SharedSessionTable(db: $0).find(id, unlessVersion: known) }
    }

    func commit(_ change: SessionChange, with writes: [any StoreWrite]) async throws -> CommitResult {
        do {
            return try await file.write { try commit(change, writes, $0) }
        } catch is DataHaveChanged {
            return .conflict
        } catch is AccountConflict {
            return .conflict
        } catch let error as SessionsWereRevoked {
            return .revoked(last: error.last)
        }
    }

    private func commit(_ change: SessionChange, _ writes: [any StoreWrite], _ db: Database) throws -> CommitResult {
        let table = SharedSessionTable(db: db)
        guard try table.store(change) else { return try table.contains(change) ? .committed : .conflict }
        if let userChange = change.userChange {
            if let replaced = userChange.replacedID { try table.insertReplacement(replaced, userChange) }
            if let user = change.session.user {
                let last = try table.lastRevocation(of: user)
                if last.ofUser > userChange.lastRevocation { throw SessionsWereRevoked(last: last.ofAny) }
            }
        }
        for write in writes {
            guard let write = write as? SQLiteWrite else { throw DataHaveChanged() }
            try write.execute(db)
        }
        return .committed
    }

    func touch(_ id: [UInt8], at now: Timestamp) async throws {
        try await file.write { try SharedSessionTable(db: $0).touch(id, at: now) }
    }

    func end(_ id: [UInt8]) async throws {
        try await file.write { try SharedSessionTable(db: $0).delete(id) }
    }

    func endSessions(ofUser user: String) async throws {
        try await file.write { try AccountTable(db: $0).revokeSessions(AccountID(user)) }
    }

    func removeSessions(_ condition: SessionRemoval) async throws -> Int {
        try await file.write { try SharedSessionTable(db: $0).delete(condition, limit: Self.removedAtOnce) }
    }
}

/// The error of a login that the user's sessions were revoked after.
private struct SessionsWereRevoked: Error {
    let last: Int
}

extension SQLiteDatabase {
    /// The sessions that a server has saved when it stopped, and those that servers share.
    ///
    /// - Parameter lastRevocation: returns the number of the last revocation that the server has applied to its sessions. If a later
    ///   one concerns the user of a saved session, the session is not returned.
    public func sessions(lastRevocation: @escaping @Sendable () -> Int) -> any SessionStore {
        SQLiteSessions(file: self, lastRevocation: lastRevocation)
    }
}
