internal import AccountsDatabase
internal import BusinessLogic
internal import SessionStorage
internal import SQLStatements
internal import SQLite

extension SQLiteConnection {
    // MARK: Reading

    func session(_ id: [UInt8], unlessVersion known: Int) throws -> SessionLookup {
        let rows = try run(
            """
            SELECT number, version, last_used, created, account_id, CASE version WHEN ?2 THEN NULL ELSE content END, address,
                CASE version WHEN ?2 THEN NULL ELSE key END
            FROM session WHERE id = ?1
            """,
            .bytes(id),
            .number(known)
        )
        guard let row = rows.first else {
            let replacement = try run("SELECT response FROM replaced_session WHERE id = ?1", .bytes(id)).first
            return try replacement.map { .replaced(response: try $0.optionalBytes(0)) } ?? .unknown
        }
        let version = try row.number(1)
        let lastUsed = try row.time(2)
        if version == known { return .unchanged(lastUsed: lastUsed) }
        let session = StoredSession(
            id: id,
            user: try row.optionalText(4),
            created: try row.time(3),
            lastUsed: lastUsed,
            content: try row.bytes(5),
            address: try row.optionalBytes(6),
            key: try row.optionalText(7)
        )
        let events = try run(
            "SELECT version, content FROM session_event WHERE session = ?1 ORDER BY version",
            .integer(try row.integer(0))
        ).map { StoredEvent(version: try $0.number(0), content: try $0.bytes(1)) }
        return .found(SharedSession(session: session, version: version, events: events))
    }

    /// The versions of those sessions that exist.
    func versions(of ids: [[UInt8]]) throws -> [[UInt8]: Int] {
        var versions: [[UInt8]: Int] = [:]
        for id in ids {
            versions[id] = try run("SELECT version FROM session WHERE id = ?1", .bytes(id)).first?.number(0)
        }
        return versions
    }

    // MARK: Committing

    /// Stores the change of a session.
    ///
    /// - Returns: `false` if the session has another version than the event has read. Then nothing has changed.
    func store(_ change: SessionChange) throws -> Bool {
        guard let row = try change.version == 0 ? insert(change) : update(change) else { return false }
        let number = SQLValue.integer(try row.integer(0))
        if change.oldestEvent > 0 {
            try run(
                "DELETE FROM session_event WHERE session = ?1 AND version < ?2",
                number,
                .number(change.oldestEvent)
            )
        }
        try run(
            "INSERT INTO session_event (session, version, token, content) VALUES (?1, ?2, ?3, ?4)",
            number,
            .number(change.version + 1),
            .bytes(change.token),
            .bytes(change.event)
        )
        return true
    }

    private func insert(_ change: SessionChange) throws -> SQLiteRow? {
        let session = change.session
        return try run(
            """
            INSERT INTO session (id, version, account_id, created, last_used, address, size, content, key)
            VALUES (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (id) DO NOTHING RETURNING number
            """,
            .bytes(session.id),
            .text(session.user),
            .time(session.created),
            .time(session.lastUsed),
            .bytes(session.address),
            .number(change.size),
            .bytes(session.content),
            .text(session.key)
        ).first
    }

    private func update(_ change: SessionChange) throws -> SQLiteRow? {
        let session = change.session
        return try run(
            """
            UPDATE session SET id = ?1, version = version + 1, account_id = ?2, last_used = max(last_used, ?3), size = ?4, content = ?5,
                key = coalesce(?8, key)
            WHERE id = ?6 AND version = ?7 RETURNING number
            """,
            .bytes(session.id),
            .text(session.user),
            .time(session.lastUsed),
            .number(change.size),
            .bytes(session.content),
            .bytes(change.currentID),
            .number(change.version),
            .text(session.key)
        ).first
    }

    // MARK: Ending many

    /// A session to delete, unless a request uses it meanwhile.
    struct Candidate: Sendable {
        fileprivate let number: Int64
        fileprivate let lastUsed: Timestamp

        fileprivate init(_ row: SQLiteRow) throws {
            number = try row.integer(0)
            lastUsed = try row.time(1)
        }
    }

    /// Some of the expired sessions.
    func expiredSessions(_ condition: SessionRemoval, limit: Int) throws -> [Candidate] {
        try run(
            "SELECT number, last_used FROM session WHERE last_used <= ?1 OR created <= ?2 LIMIT ?3",
            .time(condition.lastUsed),
            .time(condition.created),
            .number(limit)
        ).map(Candidate.init)
    }

    /// Some of the sessions that exceed the limit for their address.
    func excessSessionsOfAddresses(_ condition: SessionRemoval, limit: Int) throws -> [Candidate] {
        guard let maximum = condition.maximumPerAddress else { return [] }
        return try run(
            """
            SELECT number, last_used FROM (
                SELECT number, last_used,
                    row_number() OVER (PARTITION BY address ORDER BY created DESC, number DESC) AS rank
                FROM session WHERE account_id IS NULL AND address IS NOT NULL
            ) WHERE rank > ?1 LIMIT ?2
            """,
            .number(maximum),
            .number(limit)
        ).map(Candidate.init)
    }

    /// Some of the sessions that exceed the maximum of their number or of their memory, in the order of `SessionClass` and of their last
    /// use.
    func excessSessions(_ condition: SessionRemoval, limit: Int) throws -> [Candidate] {
        let size = SharedSessionTable.size
        // `total` is a floating-point number, which cannot overflow.
        let totals = try run(
            "SELECT count(*) - ?1, CAST(max(0, min(total(\(size)) - ?2, 9e18)) AS INTEGER) FROM session",
            .number(condition.maximum),
            .number(condition.maximumMemory)
        )
        guard let (sessions, memory) = try totals.first.map({ (try $0.number(0), try $0.number(1)) }),
            sessions > 0 || memory > 0
        else { return [] }
        return try run(
            """
            SELECT number, last_used FROM (
                SELECT number, last_used, row_number() OVER ended AS position, total(\(size)) OVER ended - \(size) AS freed
                FROM \(SharedSessionTable.ranked)
                WINDOW ended AS (ORDER BY \(SharedSessionTable.endingOrder) ROWS UNBOUNDED PRECEDING)
            ) WHERE position <= ?1 OR freed < ?2 ORDER BY position LIMIT ?3
            """,
            .number(sessions),
            .number(memory),
            .number(limit)
        ).map(Candidate.init)
    }

    /// Deletes those sessions that no request has used since they were selected.
    ///
    /// - Returns: their number.
    func delete(_ candidates: [Candidate]) throws -> Int {
        try candidates.reduce(0) { count, candidate in
            try run(
                "DELETE FROM session WHERE number = ?1 AND last_used = ?2",
                .integer(candidate.number),
                .time(candidate.lastUsed)
            )
            return count + changes
        }
    }
}
