internal import BusinessLogic
internal import Foundation
internal import GRDB
public import SessionStorage

/// The saved sessions in a database.
struct SQLiteSessions: SessionStore {
    let database: SQLiteDatabase
    /// The number of the last revocation that the server has applied to its sessions.
    let lastRevocation: @Sendable () -> Int

    func save(_ sessions: [StoredSession]) async throws {
        let revocation = lastRevocation()
        try await database.write { db in
            let statement = try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO saved_session (id, account_id, created, last_used, revocation, content)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """
            )
            for session in sessions {
                try statement.execute(arguments: [
                    Data(session.id), session.user.map { Data($0.utf8) },
                    session.created.milliseconds, session.lastUsed.milliseconds, revocation, Data(session.content),
                ])
            }
        }
    }

    func take(limit: Int) async throws -> [StoredSession] {
        try await database.write { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT id, saved_session.account_id, created, last_used, content,
                        coalesce(number, 0) > revocation
                    FROM saved_session
                    LEFT JOIN session_ending ON session_ending.account_id = CAST(saved_session.account_id AS TEXT)
                    ORDER BY last_used, id LIMIT ?
                    """
            )
            let delete = try db.cachedStatement(sql: "DELETE FROM saved_session WHERE id = ?")
            while true {
                let rows = try Row.fetchAll(statement, arguments: [max(1, limit)])
                var sessions: [StoredSession] = []
                for row in rows {
                    let id = try row.bytes(0)
                    try delete.execute(arguments: [id])
                    guard try row.number(5) == 0 else { continue }
                    sessions.append(
                        StoredSession(
                            id: Array(id),
                            user: row.optionalText(1),
                            created: Timestamp(milliseconds: try row.number(2)),
                            lastUsed: Timestamp(milliseconds: try row.number(3)),
                            content: Array(try row.bytes(4))
                        )
                    )
                }
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
