internal import Accounts
internal import BusinessLogic
internal import SessionStorage

/// What requests read and events change.
extension SharedSessionTable {
    static func lookup(_ rows: [SQLRow], _ id: [UInt8], unlessVersion known: Int) throws -> SessionLookup {
        guard let row = rows.first else { return .unknown }
        guard let version = try row.optionalInteger(0).map({ Int($0) }) else {
            return .replaced(response: try row.optionalBytes(4))
        }
        if version == known { return .unchanged(lastUsed: try row.time(1)) }
        let session = StoredSession(
            id: id,
            user: try row.optionalText(3),
            created: try row.time(2),
            lastUsed: try row.time(1),
            content: try row.bytes(4),
            address: try row.optionalBytes(7),
            key: try row.optionalText(8)
        )
        let events = try rows.filter { try $0.optionalInteger(5) != nil }.map { row in
            StoredEvent(version: try row.number(5), content: try row.bytes(6))
        }
        return .found(SharedSession(session: session, version: version, events: events))
    }

    /// The IDs and versions of those sessions that exist.
    static func versions(of ids: [[UInt8]]) -> SQLStep { versionsStatement(ids.flatMap { $0 }) }

    /// Stores the change of a session, in PostgreSQL with its event. Returns no row if the session has another version than the event has read.
    static func store(_ change: SessionChange) -> SQLStep {
        let (session, token, event, size) = (change.session, change.token, change.event, change.size)
        let (id, user, lastUsed, content) = (session.id, session.user, session.lastUsed, session.content)
        guard change.version > 0 else {
            let (created, address) = (session.created, session.address)
            return insertStatement(token, event, id, user, created, lastUsed, content, address, size, session.key)
        }
        let (current, version, key) = (change.currentID, change.version, session.key)
        guard change.userChange != nil else {
            return updateStatement(token, event, current, version, lastUsed, content, size, key)
        }
        return updateUserStatement(token, event, current, version, lastUsed, content, size, key, id, user)
    }

    /// A session, with its content and its events if its version is not the known one; if there is no session, the response of the login
    /// that has replaced the ID. ``lookup(_:_:unlessVersion:)`` reads them.
    static let find = SQLStatement(
        "find session",
        """
        SELECT session.version, last_used, created, account_id,
            CASE session.version WHEN $2 THEN NULL ELSE session.content END, session_event.version, session_event.content,
            address, key
        FROM session
        LEFT JOIN session_event ON session_event.session = session.number AND session.version <> $2
        WHERE id = $1
        UNION ALL
        SELECT NULL, NULL, NULL, NULL, response, NULL, NULL, NULL, NULL FROM replaced_session
        WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM session WHERE id = $1)
        ORDER BY 6
        """
    )

    /// The parts of the parameter. An ID has 16 bytes.
    private static let ids = SQLText(
        postgreSQL: """
            SELECT substring($1::bytea FROM 16 * n + 1 FOR 16) FROM generate_series(0, octet_length($1::bytea) / 16 - 1) AS n
            """,
        sqlite: """
            WITH RECURSIVE part (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM part WHERE 16 * (n + 2) <= length(?1))
            SELECT substr(?1, 16 * n + 1, 16) FROM part
            """
    )

    private static let versionsStatement = SQLStatement(
        "session versions",
        "SELECT id, version FROM session WHERE \("id", in: ids)"
    )

    private static let insertStatement = storing(
        "insert session",
        """
        INSERT INTO session (id, version, account_id, created, last_used, content, address, size, key)
        VALUES ($3, 1, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING RETURNING number, version
        """
    )

    private static let updateStatement = storing("store event", update())

    private static let updateUserStatement = storing("store login", update(", id = $9, account_id = $10"))

    private static func update(_ others: SQLText = "") -> SQLText {
        """
        UPDATE session SET version = version + 1, last_used = \(greatest)(last_used, $5), content = $6, size = $7,
            key = coalesce($8, key)\(others)
        WHERE id = $3 AND version = $4 RETURNING number, version
        """
    }

    /// In PostgreSQL one statement, which is as fast as the update alone; as two statements in a transaction, they take half as long again. SQLite
    /// cannot insert what a statement returns.
    private static func storing(_ name: String, _ change: SQLText) -> SQLStatement {
        SQLStatement(
            name,
            SQLText(
                postgreSQL: """
                    WITH changed AS (\(change.postgreSQL))
                    INSERT INTO session_event (session, version, token, content) SELECT number, version, $1, $2 FROM changed
                    RETURNING version
                    """,
                sqlite: change.sqlite
            )
        )
    }

    /// Stores an event with its token in SQLite, if the statement before has stored the change of the session.
    static let insertEvent = SQLStatement(
        "insert event",
        """
        INSERT INTO session_event (session, version, token, content)
        SELECT number, version, $2, $3 FROM session WHERE id = $1 AND changes() > 0
        """
    )

    /// Deletes the events of a session before a version.
    static let deleteEvents = SQLStatement(
        "delete events",
        "DELETE FROM session_event WHERE session = (SELECT number FROM session WHERE id = $1) AND version < $2"
    )
}
