public import SessionStorage

/// The saved sessions in a database.
struct SQLiteSessions: SessionStore {
    let database: SQLiteDatabase
    /// The number of the last revocation that the server has applied to its sessions.
    let lastRevocation: @Sendable () -> Int

    func save(_ sessions: [StoredSession]) async throws {
        let revocation = lastRevocation()
        try await database.write { db in
            let table = SavedSessionTable(db: db)
            for session in sessions { try table.insert(session, revocation: revocation) }
        }
    }

    func take(limit: Int) async throws -> [StoredSession] {
        try await database.write { db in
            let table = SavedSessionTable(db: db)
            while true {
                let rows = try table.select(limit: max(1, limit))
                for row in rows { try table.delete(row.session) }
                let sessions = rows.filter { !$0.isRevoked }.map(\.session)
                if rows.isEmpty || !sessions.isEmpty { return sessions }
            }
        }
    }
}

extension SQLiteDatabase {
    /// The sessions that a server has saved when it stopped.
    ///
    /// - Parameter lastRevocation: returns the number of the last revocation that the server has applied to its sessions. If a later
    ///   one concerns the user of a saved session, the session is not returned.
    public func savedSessions(lastRevocation: @escaping @Sendable () -> Int) -> any SessionStore {
        SQLiteSessions(database: self, lastRevocation: lastRevocation)
    }
}
