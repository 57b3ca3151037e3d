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
                SELECT number, version, last_used, created, account_id, CASE version WHEN ? THEN NULL ELSE content END,
                    address
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
            content: Array(try row.bytes(5)),
            address: row.optionalBytes(6)
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
                INSERT INTO session (id, version, account_id, created, last_used, address, size, content)
                VALUES (?, 1, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO NOTHING RETURNING number
                """
        )
        return try Int64.fetchOne(
            statement,
            arguments: [
                Data(session.id), session.user.map { Data($0.utf8) }, session.created.milliseconds,
                session.lastUsed.milliseconds, session.address.map { Data($0) }, change.size, Data(session.content),
            ]
        )
    }

    private func update(_ change: SessionChange) throws -> Int64? {
        let session = change.session
        let statement = try db.cachedStatement(
            sql: """
                UPDATE session SET id = ?, version = version + 1, account_id = ?, last_used = ?, size = ?, content = ?
                WHERE id = ? AND version = ? RETURNING number
                """
        )
        return try Int64.fetchOne(
            statement,
            arguments: [
                Data(session.id), session.user.map { Data($0.utf8) }, session.lastUsed.milliseconds,
                change.size, Data(session.content), Data(change.currentID), change.version,
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

    func deleteReplacements(at now: Timestamp) throws {
        try db.execute(sql: "DELETE FROM replaced_session WHERE expires <= ?", arguments: [now.milliseconds])
    }

    // MARK: Ending many

    /// A session to delete, unless a request uses it meanwhile.
    struct Candidate: Sendable {
        fileprivate let number: Int64
        fileprivate let lastUsed: Int64
    }

    /// Some of the expired sessions.
    func expired(_ condition: SessionRemoval, limit: Int) throws -> [Candidate] {
        try candidates(
            "SELECT number, last_used FROM session WHERE last_used <= ? OR created <= ? LIMIT ?",
            [condition.lastUsed.milliseconds, condition.created.milliseconds, limit]
        )
    }

    /// Some of the sessions that exceed the limit for their address.
    func excessOfAddresses(_ condition: SessionRemoval, limit: Int) throws -> [Candidate] {
        guard let maximum = condition.maximumPerAddress else { return [] }
        return try candidates(
            """
            SELECT number, last_used FROM (
                SELECT number, last_used,
                    row_number() OVER (PARTITION BY address ORDER BY created DESC, number DESC) AS rank
                FROM session WHERE account_id IS NULL AND address IS NOT NULL
            ) WHERE rank > ? LIMIT ?
            """,
            [maximum, limit]
        )
    }

    /// The bytes of a session. A damaged size counts as 0, so that it evicts no other sessions.
    private static let size = "CASE WHEN size BETWEEN 0 AND 1 << 30 THEN size ELSE 0 END"

    /// Some of the sessions that exceed the maximum of their number or of their memory, in the order of `SessionClass` and of their last
    /// use.
    func excess(_ condition: SessionRemoval, limit: Int) throws -> [Candidate] {
        // `total` is a floating-point number, which cannot overflow.
        let excess = try Row.fetchOne(
            db,
            sql: "SELECT count(*) - ?, CAST(max(0, min(total(\(Self.size)) - ?, 9e18)) AS INTEGER) FROM session",
            arguments: [condition.maximum, condition.maximumMemory]
        )
        guard let excess else { return [] }
        let (sessions, memory) = (try excess.number(0), try excess.number(1))
        guard sessions > 0 || memory > 0 else { return [] }
        return try candidates(
            """
            SELECT number, last_used FROM (
                SELECT number, last_used, row_number() OVER ended AS position,
                    total(\(Self.size)) OVER ended - \(Self.size) AS freed
                FROM session
                WINDOW ended AS (
                    ORDER BY
                        CASE WHEN account_id IS NOT NULL THEN 2 WHEN version > 1 OR last_used > created THEN 1 ELSE 0 END,
                        last_used, number
                    ROWS UNBOUNDED PRECEDING
                )
            ) WHERE position <= ? OR freed < ? ORDER BY position LIMIT ?
            """,
            [sessions, memory, limit]
        )
    }

    private func candidates(_ sql: String, _ arguments: StatementArguments) throws -> [Candidate] {
        try Row.fetchAll(db, sql: sql, arguments: arguments).map { row in
            Candidate(number: try row.number(0), lastUsed: try row.number(1))
        }
    }

    /// Deletes those sessions that no request has used since they were selected.
    ///
    /// - Returns: their number.
    func delete(_ candidates: [Candidate]) throws -> Int {
        let statement = try db.cachedStatement(sql: "DELETE FROM session WHERE number = ? AND last_used = ?")
        return try candidates.reduce(0) { count, candidate in
            try statement.execute(arguments: [candidate.number, candidate.lastUsed])
            return count + db.changesCount
        }
    }

    /// Sets some of the times in the future to the present.
    func limitTimes(_ condition: SessionRemoval, limit: Int) throws {
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
