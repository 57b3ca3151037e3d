import Accounts
package import BusinessLogic
package import SessionStorage

package struct DatabaseSessionStore: SessionStore {
    package let store: any SQLDatabase
    /// The number of the last revocation that the server has applied to its sessions.
    private let lastRevocation: @Sendable () -> Int

    /// How long it may take to read thousands of sessions.
    private static let timeout: Duration = .seconds(60)
    /// The maximum number of sessions that one transaction removes, so that none takes long.
    private static let removedAtOnce = 500
    /// The maximum number of sessions that one query selects, because it may have to order all of them.
    private static let selectedAtOnce = 10_000

    package init(_ store: any SQLDatabase, lastRevocation: @escaping @Sendable () -> Int) {
        self.store = store
        self.lastRevocation = lastRevocation
    }

    package var database: ObjectIdentifier? { ObjectIdentifier(store) }

    package var isAvailable: Bool { store.isAvailable }

    // MARK: Saved sessions

    package func save(_ sessions: [StoredSession], until deadline: ContinuousClock.Instant) async throws {
        guard !sessions.isEmpty else { return }
        let last = lastRevocation()
        try await store.write(of: .sessions, deadline: deadline, key: nil, mode: .repeatable) { db in
            let later = try db.batch([RevocationTable.exclude(), RevocationTable.select(last)])[1]
            let revoked = Set(try later.map { try RevocationTable.revocation($0).account.text })
            // Their deletion adds their keys to those of ended sessions.
            let ended = sessions.filter { $0.user.map(revoked.contains) ?? false }
            try db.batch(sessions.map(SessionTable.save) + ended.map { SessionTable.delete($0.id) })
        }
    }

    package func take(limit: Int) async throws -> [StoredSession] {
        try await store.write(of: .sessions, deadline: .now + Self.timeout, key: nil, mode: .repeatable) { db in
            let sessions = try SessionTable.sessions(db.execute(SessionTable.selectUnused(max(1, limit))))
            // The deletion of a session adds its key to those of ended sessions.
            let keys = sessions.compactMap(\.key)
            try db.batch(sessions.map { SessionTable.delete($0.id) } + keys.map { EndedSessionTable.delete($0) })
            return sessions
        }
    }

    // MARK: Shared sessions

    package var addressKey: [UInt8] {
        get async throws {
            try await store.write(of: .sessions) { try $0.batch(SessionTable.addressKey)[1][0].bytes(0) }
        }
    }

    package func find(_ id: [UInt8], unlessVersion known: Int) async throws -> SessionLookup {
        try await store.read(SessionTable.find(id, known), of: .sessions) { rows in
            try SessionTable.lookup(rows, unlessVersion: known)
        }
    }

    package func versions(of ids: [[UInt8]]) async throws -> [[UInt8]: Int]? {
        try await store.read(SessionTable.selectVersions(Array(ids.joined())), of: .sessions) { rows in
            Dictionary(try rows.map { (try $0.bytes(0), try $0.number(1)) }) { $1 }
        }
    }

    package func commit(_ change: SessionChange, with writes: [any StoreWrite]) async throws -> CommitResult {
        // Most events are one batch, which needs no more than one round trip.
        let isBatch = change.userChange == nil && change.oldestEvent == 0 && writes.isEmpty
        // Only a login waits for other transactions of the same user.
        let key = change.userChange.flatMap { _ in change.session.user }.map { "user:\($0)" }
        do {
            try await store.write(of: .sessions, key: key, mode: .recognising(isBatch: isBatch)) { db in
                do {
                    try commit(change, writes, db)
                } catch  where type(of: store).isConflict(error) {
                    throw DataHaveChanged()
                }
            }
            return .committed
        } catch is DataHaveChanged {
            // The session has another version, perhaps because the commit has been repeated.
            let query = SessionTable.contains(change.session.id, change.version, change.token)
            return try await store.read(query, of: .sessions) { try $0[0].boolean(0) } ? .committed : .conflict
        } catch is AccountConflict {
            return .conflict
        } catch let error as SessionsWereRevoked {
            return .revoked(last: error.last)
        }
    }

    private func commit(_ change: SessionChange, _ writes: [any StoreWrite], _ db: any SQLConnection) throws {
        // The lock comes first, so that the next statements see what its former owner has committed.
        if change.userChange != nil, let user = change.session.user { try db.execute(RevocationTable.lock(user)) }
        let results = try db.batch(steps(of: change))
        guard !results[0].isEmpty else { throw DataHaveChanged() }
        if let userChange = change.userChange, change.session.user != nil, let row = results.last?.first {
            let last = try row.number(1)
            if try row.number(0) > userChange.lastRevocation { throw SessionsWereRevoked(last: last) }
        }
        for write in writes {
            guard let write = write as? SQLWrite else { throw DataHaveChanged() }
            try write.execute(db)
        }
    }

    /// The statements that store a change. The first one stores the session; the last one of a login reads the last revocation.
    private func steps(of change: SessionChange) -> [SQLStep] {
        var steps = [SessionTable.store(change)]
        if !type(of: store).insertsReturnedRows {
            steps.append(SessionTable.insertEvent(change.session.id, change.token, change.event))
        }
        if change.oldestEvent > 0 { steps.append(SessionTable.deleteEvents(change.session.id, change.oldestEvent)) }
        if let userChange = change.userChange {
            if let replaced = userChange.replacedID {
                steps.append(SessionTable.insertReplacement(replaced, userChange.expires, userChange.response))
            }
            if let user = change.session.user { steps.append(RevocationTable.selectLast(user)) }
        }
        return steps
    }

    package func touch(_ id: [UInt8], at now: Timestamp) async throws {
        try await store.write(of: .sessions, [SessionTable.touch(id, now)])
    }

    package func end(_ id: [UInt8]) async throws { try await store.write(of: .sessions, [SessionTable.delete(id)]) }

    package func sessions(ofUser user: String) async throws -> [UserSession] {
        try await store.read(SessionTable.selectOfUser(AccountID(user)), of: .sessions) { rows in
            try rows.compactMap(SessionTable.session)
        }
    }

    package func endSessions(ofUser user: String) async throws {
        let steps = [RevocationTable.lock(user)] + RevocationTable.revoke(AccountID(user))
        try await store.write(of: .sessions, steps)
    }

    package func removeSessions(exceeding limits: SessionLimits, at now: Timestamp) async throws -> RemovedSessions {
        let limit = Self.selectedAtOnce
        try await store.write(of: .sessions, SessionTable.cleanTimes(at: now, limit: Self.removedAtOnce))
        var removed = RemovedSessions()
        var failure: (any Error)?
        // Each even if another one fails.
        func remove(_ count: WritableKeyPath<RemovedSessions, Int>, _ query: SQLStep) async {
            do { try await removeAll(query) { removed[keyPath: count] += $0 } } catch { failure = error }
        }
        await remove(\.expired, SessionTable.selectExpired(now - limits.idle, now - limits.lifetime, limit))
        if let maximum = limits.maximumPerAddress {
            await remove(\.evicted, SessionTable.selectExcessOfAddresses(maximum, limit))
        }
        await remove(\.evicted, SessionTable.selectExcess(limits.maximum, limits.maximumMemory, limit))
        if let failure, removed == RemovedSessions() { throw failure }
        return removed
    }

    /// Deletes the sessions that a query returns, until it returns none, and reports their number after each deletion. The query is a read,
    /// which delays no writes. It may take long, because it orders all sessions.
    private func removeAll(_ query: SQLStep, _ count: (Int) -> Void) async throws {
        while true {
            let selected = try await store.read(of: .sessions, deadline: .now + Self.timeout) { db in
                try db.execute(query).map { SQLStep(SessionTable.deleteUnused, try $0.all()) }
            }
            var total = 0
            for start in stride(from: 0, to: selected.count, by: Self.removedAtOnce) {
                let deletions = Array(selected[start...].prefix(Self.removedAtOnce))
                let removed = try await store.write(of: .sessions) { try $0.batch(deletions).count { !$0.isEmpty } }
                count(removed)
                total += removed
            }
            guard total > 0 else { return }
        }
    }

    // MARK: Sessions that have ended

    package func claimEndedSessions(limit: Int, at now: Timestamp) async throws -> [String] {
        let isDue = try await store.read(EndedSessionTable.isDue(now), of: .sessions) { try $0.first?.boolean(0) }
        guard isDue == true else { return [] }
        let claim = EndedSessionTable.claim(now, max(1, limit))
        return try await store.write(of: .sessions) { try $0.execute(claim).compactMap { try $0.optionalText(0) } }
    }

    package func removeEndedSession(_ key: String) async throws {
        try await store.write(of: .sessions, [EndedSessionTable.delete(key)])
    }
}

/// The error of a login that the user's sessions were revoked after.
private struct SessionsWereRevoked: Error {
    /// The number of the last revocation of all.
    let last: Int
}
