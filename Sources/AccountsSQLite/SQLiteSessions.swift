internal import Accounts
internal import BusinessLogic
internal import Foundation
internal import GRDB
public import SessionStorage

/// The sessions in a database.
struct SQLiteSessions: SessionStore {
    let file: SQLiteDatabase
    /// The number of the last revocation that the server has applied to its sessions.
    let lastRevocation: @Sendable () -> Int

    func save(_ sessions: [StoredSession]) async throws {
        let revocation = lastRevocation()
        try await file.write(of: .sessions) { db in
            let table = SavedSessionTable(db: db)
            for session in sessions { try table.insert(session, revocation: revocation) }
        }
    }

    func take(limit: Int) async throws -> [StoredSession] {
        try await file.write(of: .sessions) { db in
            let table = SavedSessionTable(db: db)
            while true {
                let rows = try table.select(limit: max(1, limit))
                for row in rows { try table.delete(row.session) }
                let sessions = rows.filter { !$0.isRevoked }.map(\.session)
                if rows.isEmpty || !sessions.isEmpty { return sessions }
            }
        }
    }

    var addressKey: [UInt8] {
        get async throws {
            let new = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
            return try await file.write(of: .sessions) { db in
                try db.execute(sql: "INSERT OR IGNORE INTO address_key (id, key) VALUES (1, ?)", arguments: [Data(new)])
                return try Row.fetchOne(db, sql: "SELECT key FROM address_key")?.optionalBytes(0) ?? new
            }
        }
    }

    // MARK: Shared sessions

    /// The maximum number of sessions that one write removes, so that none takes long.
    private static let removedAtOnce = 500

    var database: ObjectIdentifier? { ObjectIdentifier(file) }

    var isAvailable: Bool { file.isAvailable }

    func find(_ id: [UInt8], unlessVersion known: Int) async throws -> SessionLookup {
        try await file.read(of: .sessions) { try SharedSessionTable(db: $0).find(id, unlessVersion: known) }
    }

    func commit(_ change: SessionChange, with writes: [any StoreWrite]) async throws -> CommitResult {
        do {
            return try await file.write(of: .sessions) { try commit(change, writes, $0) }
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
        try await file.write(of: .sessions) { try SharedSessionTable(db: $0).touch(id, at: now) }
    }

    func end(_ id: [UInt8]) async throws {
        try await file.write(of: .sessions) { try SharedSessionTable(db: $0).delete(id) }
    }

    func endSessions(ofUser user: String) async throws {
        try await file.write(of: .sessions) { try AccountTable(db: $0).revokeSessions(AccountID(user)) }
    }

    func removeSessions(_ condition: SessionRemoval) async throws -> RemovedSessions {
        try await file.write(of: .sessions) { db in
            let table = SharedSessionTable(db: db)
            try table.deleteReplacements(at: condition.now)
            try table.limitTimes(condition, limit: Self.removedAtOnce)
        }
        var removed = RemovedSessions()
        removed.expired = try await remove { try $0.expired(condition, limit: Self.removedAtOnce) }
        removed.evicted = try await remove { try $0.excessOfAddresses(condition, limit: Self.removedAtOnce) }
        removed.evicted += try await remove { try $0.excess(condition, limit: Self.removedAtOnce) }
        return removed
    }

    /// Deletes the sessions that `select` returns, until it returns none. Selecting takes longer than deleting, and does not delay writes.
    private func remove(
        _ select: @Sendable (SharedSessionTable) throws -> [SharedSessionTable.Candidate]
    ) async throws -> Int {
        var count = 0
        while true {
            let candidates = try await file.read(of: .sessions) { try select(SharedSessionTable(db: $0)) }
            guard !candidates.isEmpty else { return count }
            let removed = try await file.write(of: .sessions) { try SharedSessionTable(db: $0).delete(candidates) }
            guard removed > 0 else { return count }
            count += removed
        }
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
