internal import PostgreSQL
public import SessionStorage

/// The saved sessions in a database.
struct PostgreSQLSessions: SessionStore {
    let database: PostgreSQLDatabase
    /// The number of the last revocation that the server has applied to its sessions.
    let lastRevocation: @Sendable () -> Int

    /// How long it may take to save or read thousands of sessions.
    private static let timeout: Duration = .seconds(60)

    func save(_ sessions: [StoredSession]) async throws {
        guard !sessions.isEmpty else { return }
        let revocation = lastRevocation()
        try await database.write(deadline: .now + Self.timeout) { transaction in
            _ = try await transaction.batch(sessions.map { SavedSessionTable.insert($0, revocation: revocation) })
        }
    }

    func take(limit: Int) async throws -> [StoredSession] {
        try await database.write(deadline: .now + Self.timeout) { transaction in
            while true {
                let rows = try await transaction.execute(SavedSessionTable.take(limit: max(1, limit)))
                let sessions = try rows.filter { try !SavedSessionTable.isRevoked($0) }.map(SavedSessionTable.session)
                if rows.isEmpty || !sessions.isEmpty { return sessions }
            }
        }
    }
}

extension PostgreSQLDatabase {
    /// The sessions that servers have saved when they stopped.
    ///
    /// - Parameter lastRevocation: returns the number of the last revocation that the server has applied to its sessions. If a later
    ///   one concerns the user of a saved session, the session is not returned.
    public func savedSessions(lastRevocation: @escaping @Sendable () -> Int) -> any SessionStore {
        PostgreSQLSessions(database: self, lastRevocation: lastRevocation)
    }
}
