internal import Accounts
internal import BusinessLogic
internal import Foundation
internal import GRDB
internal import SessionStorage

/// The SQL of the tables `session`, `session_event` and `replaced_session`.
struct SharedSessionTable {
    let db: Database

    // MARK: Reading

    func find(_ id: [UInt8], unlessVersion known: Int) throws -> SessionLookup {
        let statement = try db.cachedStatement(
            sql: """
                SELECT number, version, last_used, created, account_id, CASE version WHEN ? THEN NULL ELSE content END
                FROM session WHERE id = ?
                """
        )
        guard let row = try Row.fetchOne(statement, arguments: [known, Data(id)]) else {
            return try replacement(of: id)
        }
        let version = Int(try row.number(1))
        let lastUsed = Timestamp(milliseconds: try row.number(2))
        if version == known { return .unchanged(lastUsed: lastUsed) }
        let session = StoredSession(
            id: id,
            user: row.optionalText(4),
            created: Timestamp(milliseconds: try row.number(3)),
            lastUsed: lastUsed,
            content: Array(try row.bytes(5))
        )
        return .found(
            SharedSession(session: session, version: version, events: try events(of: try row.number(0)))
        )
    }

    /// The sessions of an account.
    func select(of account: AccountID) throws -> [SharedSession] {
        let statement = try db.cachedStatement(
            sql: "SELECT id FROM session WHERE account_id = ? ORDER BY last_used, id"
        )
        return try Row.fetchAll(statement, arguments: [Data(account.text.utf8)]).compactMap { row in
            guard case .found(let session) = try find(Array(row.bytes(0)), unlessVersion: 0) else { return nil }
            return session
        }
    }

    private func events(of session: Int64) throws -> [StoredEvent] {
        let statement = try db.cachedStatement(
            sql: "SELECT version, content FROM session_event WHERE session = ? ORDER BY version"
        )
        return try Row.fetchAll(statement, arguments: [session]).map { row in
            StoredEvent(version: Int(try row.number(0)), content: Array(try row.bytes(1)))
        }
    }

    private func replacement(of id: [UInt8]) throws -> SessionLookup {
        let statement = try db.cachedStatement(sql: "SELECT response FROM replaced_session WHERE id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [Data(id)]) else { return .unknown }
        return .replaced(response: row.optionalBytes(0))
    }

    // MARK: Committing

    /// Whether the change has been committed before.
    func contains(_ change: SessionChange) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM session_event JOIN session ON session.number = session_event.session
                    WHERE session.id = ? AND session_event.version > ? AND token = ?
                )
                """
        )
        return try Bool.fetchOne(
            statement,
            arguments: [Data(change.session.id), change.version, Data(change.token)]
        ) ?? false
    }

    /// Stores the change of a session.
    ///
    /// - Returns: `false` if the session has another version than the event has read. Then nothing has changed.
    func store(_ change: SessionChange) throws -> Bool {
        guard let number = try change.version == 0 ? insert(change) : update(change) else { return false }
        if change.oldestEvent > 0 {
            let statement = try db.cachedStatement(sql: "DELETE FROM session_event WHERE session = ? AND version < ?")
            try statement.execute(arguments: [number, change.oldestEvent])
        }
        let statement = try db.cachedStatement(
            sql: "INSERT INTO session_event (session, version, token, content) VALUES (?, ?, ?, ?)"
        )
        try statement.execute(arguments: [number, change.version + 1, Data(change.token), Data(change.event)])
        return true
    }

    private func insert(_ change: SessionChange) throws -> Int64? {
        let session = change.session
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO session (id, version, account_id, created, last_used, content) VALUES (?, 1, ?, ?, ?, ?)
                ON CONFLICT (id) DO NOTHING RETURNING number
                """
        )
        return try Int64.fetchOne(
            statement,
            arguments: [
                Data(session.id), session.user.map { Data($0.utf8) }, session.created.milliseconds,
                session.lastUsed.milliseconds, Data(session.content),
            ]
        )
    }

    private func update(_ change: SessionChange) throws -> Int64? {
        let session = change.session
        let statement = try db.cachedStatement(
            sql: """
                UPDATE session SET id = ?, version = version + 1, account_id = ?, last_used = ?, content = ?
                WHERE id = ? AND version = ? RETURNING number
                """
        )
        return try Int64.fetchOne(
            statement,
            arguments: [
                Data(session.id), session.user.map { Data($0.utf8) }, session.lastUsed.milliseconds,
                Data(session.content), Data(change.currentID), change.version,
            ]
        )
    }

    /// Stores the ID that a login or logout has replaced.
    func insertReplacement(_ id: [UInt8], _ change: SessionChange.UserChange) throws {
        let statement = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO replaced_session (id, expires, response) VALUES (?, ?, ?)"
        )
        try statement.execute(arguments: [Data(id), change.expires.milliseconds, change.response.map { Data($0) }])
    }

    /// The last revocation of the user's sessions, and the last revocation of all; 0 without one.
    func lastRevocation(of user: String) throws -> (ofUser: Int, ofAny: Int) {
        let statement = try db.cachedStatement(
            sql: """
                SELECT
                    coalesce((SELECT number FROM session_ending WHERE account_id = CAST(? AS TEXT) AND number <= :max), 0),
                    coalesce((SELECT max(number) FROM session_ending WHERE number <= :max), 0)
                """
        )
        let arguments: StatementArguments = [user.bound] + ["max": SessionRevocation.maximumNumber]
        guard let row = try Row.fetchOne(statement, arguments: arguments) else { return (0, 0) }
        return (Int(try row.number(0)), Int(try row.number(1)))
    }

    // MARK: Using and ending

    func touch(_ id: [UInt8], at now: Timestamp) throws {
        let statement = try db.cachedStatement(sql: "UPDATE session SET last_used = max(last_used, ?) WHERE id = ?")
        try statement.execute(arguments: [now.milliseconds, Data(id)])
    }

    func delete(_ id: [UInt8]) throws {
        try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [Data(id)])
    }

    /// Deletes the sessions of an account.
    func delete(of account: AccountID) throws {
        try db.execute(sql: "DELETE FROM session WHERE account_id = ?", arguments: [Data(account.text.utf8)])
    }

    /// Deletes some of the sessions that satisfy a condition.
    ///
    /// - Returns: the number of deleted sessions.
    func delete(_ condition: SessionRemoval, limit: Int) throws -> Int {
        try db.execute(
            sql: "DELETE FROM replaced_session WHERE expires <= ?",
            arguments: [condition.now.milliseconds]
        )
        try limitTimes(condition, limit: limit)
        try db.execute(
            sql: """
                DELETE FROM session WHERE number IN (
                    SELECT number FROM session WHERE last_used < ? OR created < ? LIMIT ?
                )
                """,
            arguments: [condition.lastUsed.milliseconds, condition.created.milliseconds, limit]
        )
        let expired = db.changesCount
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM session") ?? 0
        guard count > condition.maximum else { return expired }
        try db.execute(
            sql: """
                DELETE FROM session WHERE number IN (
                    SELECT number FROM session ORDER BY account_id IS NOT NULL, last_used LIMIT ?
                )
                """,
            arguments: [min(limit, count - condition.maximum)]
        )
        return expired + db.changesCount
    }

    /// Sets some of the times in the future to the present.
    private func limitTimes(_ condition: SessionRemoval, limit: Int) throws {
        try db.execute(
            sql: """
                UPDATE session SET last_used = min(last_used, ?1), created = min(created, ?1) WHERE number IN (
                    SELECT number FROM session WHERE last_used > ?2 OR created > ?2 LIMIT ?3
                )
                """,
            arguments: [condition.now.milliseconds, condition.latest.milliseconds, limit]
        )
        // An ID expires a minute after it was replaced.
        let expiry = (now: condition.now + .seconds(60), latest: condition.latest + .seconds(60))
        try db.execute(
            sql: "UPDATE replaced_session SET expires = ? WHERE expires > ?",
            arguments: [expiry.now.milliseconds, expiry.latest.milliseconds]
        )
    }
}
