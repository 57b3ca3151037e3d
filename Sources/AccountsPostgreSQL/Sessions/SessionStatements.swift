internal import AccountsDatabase
internal import PostgreSQL
internal import SessionStorage
internal import SQLStatements

/// The statements that only PostgreSQL executes in this way.
extension SharedSessionTable {
    /// A session, with its content and its events if its version is not the known one; if there is no session, the response of the login
    /// that has replaced the ID.
    static func find(_ id: [UInt8], unlessVersion known: Int) -> SQLStep {
        findStatement(.bytes(id), .number(known))
    }

    /// The IDs and versions of those sessions that exist.
    static func versions(of ids: [[UInt8]]) -> SQLStep { versionsStatement(.bytes(ids.flatMap { $0 })) }

    static func lookup(_ result: PostgreSQLResult, _ id: [UInt8], unlessVersion known: Int) throws -> SessionLookup {
        guard let row = result.first else { return .unknown }
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
        let events = try result.filter { try $0.optionalInteger(5) != nil }.map { row in
            StoredEvent(version: try row.number(5), content: try row.bytes(6))
        }
        return .found(SharedSession(session: session, version: version, events: events))
    }

    /// Stores the change of a session with its event. Affects no row if the session has another version than the event has read.
    static func store(_ change: SessionChange) -> SQLStep {
        let session = change.session
        let (id, user): (SQLValue, SQLValue) = (.bytes(session.id), .text(session.user))
        let (token, event): (SQLValue, SQLValue) = (.bytes(change.token), .bytes(change.event))
        let (lastUsed, content): (SQLValue, SQLValue) = (.time(session.lastUsed), .bytes(session.content))
        let (size, key): (SQLValue, SQLValue) = (.number(change.size), .text(session.key))
        guard change.version > 0 else {
            let created = SQLValue.time(session.created)
            let address = SQLValue.bytes(session.address)
            return insertStatement(id, user, created, lastUsed, content, token, event, address, size, key)
        }
        let current = SQLValue.bytes(change.currentID)
        let version = SQLValue.number(change.version)
        guard change.userChange != nil else {
            return updateStatement(current, version, lastUsed, content, token, event, size, key)
        }
        return updateUserStatement(current, version, lastUsed, content, token, event, size, id, user, key)
    }

    /// Deletes events that a session no longer needs.
    static func deleteEvents(_ change: SessionChange) -> SQLStep {
        deleteEventsStatement(.bytes(change.session.id), .number(change.oldestEvent))
    }

    /// Deletes some of the expired sessions.
    static func deleteExpired(_ condition: SessionRemoval, limit: Int) -> SQLStep {
        deleteExpiredStatement(.time(condition.lastUsed), .time(condition.created), .number(limit))
    }

    /// Deletes some of the sessions that exceed the limit for their address.
    static func deleteExcessOfAddresses(_ maximum: Int, limit: Int) -> SQLStep {
        deleteExcessOfAddressesStatement(.number(maximum), .number(limit))
    }

    /// Deletes some of the sessions that exceed the maximum of their number or of their memory, in the order of `SessionClass` and of
    /// their last use.
    static func deleteExcess(_ condition: SessionRemoval, limit: Int) -> SQLStep {
        deleteExcessStatement(.number(condition.maximum), .number(condition.maximumMemory), .number(limit))
    }

    private static let findStatement = SQLStatement(
        "find session",
        isReadOnly: true,
        postgreSQL: """
            SELECT session.version, last_used, created, account_id,
                CASE session.version WHEN $2 THEN NULL ELSE session.content END, session_event.version, session_event.content,
                address, key
            FROM session
            LEFT JOIN session_event ON session_event.session = session.number AND session.version <> $2
            WHERE id = $1
            UNION ALL
            SELECT NULL, NULL, NULL, NULL, response, NULL, NULL, NULL, NULL FROM replaced_session
            WHERE id = $1 AND NOT EXISTS (SELECT FROM session WHERE id = $1)
            ORDER BY 6
            """
    )

    // An ID has 16 bytes.
    private static let versionsStatement = SQLStatement(
        "session versions",
        isReadOnly: true,
        postgreSQL: """
            SELECT id, version FROM session WHERE id = ANY (ARRAY(
                SELECT substring($1::bytea FROM 16 * n + 1 FOR 16) FROM generate_series(0, octet_length($1::bytea) / 16 - 1) AS n
            ))
            """
    )

    private static let insertStatement = SQLStatement(
        "insert session",
        postgreSQL: """
            WITH new AS (
                INSERT INTO session (id, version, account_id, created, last_used, content, address, size, key)
                VALUES ($1, 1, $2, $3, $4, $5, $8, $9, $10)
                ON CONFLICT (id) DO NOTHING RETURNING number
            )
            INSERT INTO session_event (session, version, token, content) SELECT number, 1, $6, $7 FROM new
            """
    )

    // One statement, which is as fast as the update alone; as two statements in a transaction, they take half as long again.
    private static let updateStatement = SQLStatement(
        "store event",
        postgreSQL: """
            WITH changed AS (
                UPDATE session SET version = version + 1, last_used = greatest(last_used, $3), content = $4, size = $7,
                    key = coalesce($8, key)
                WHERE id = $1 AND version = $2 RETURNING number, version
            )
            INSERT INTO session_event (session, version, token, content) SELECT number, version, $5, $6 FROM changed
            """
    )

    private static let updateUserStatement = SQLStatement(
        "store login",
        postgreSQL: """
            WITH changed AS (
                UPDATE session SET version = version + 1, last_used = greatest(last_used, $3), content = $4, size = $7,
                    id = $8, account_id = $9, key = coalesce($10, key)
                WHERE id = $1 AND version = $2 RETURNING number, version
            )
            INSERT INTO session_event (session, version, token, content) SELECT number, version, $5, $6 FROM changed
            """
    )

    private static let deleteEventsStatement = SQLStatement(
        "delete events",
        postgreSQL: """
            DELETE FROM session_event USING session
            WHERE session_event.session = session.number AND session.id = $1 AND session_event.version < $2
            """
    )

    // The three statements that delete many sessions find none while another server executes one of them. They leave out sessions that an
    // event uses at the moment, so that neither waits for the other for long.

    /// Whether no other server removes sessions now. The lock ends with the transaction.
    private static let lock = """
        (SELECT pg_try_advisory_xact_lock(hashtextextended('understudy cleaning', 'session'::regclass::oid::bigint)))
        """

    private static let deleteExpiredStatement = SQLStatement(
        "delete expired sessions",
        postgreSQL: """
            DELETE FROM session WHERE number = ANY (ARRAY(
                SELECT number FROM session WHERE (last_used <= $1 OR created <= $2) AND \(lock)
                LIMIT $3 FOR UPDATE SKIP LOCKED
            )) RETURNING number
            """
    )

    private static let deleteExcessOfAddressesStatement = SQLStatement(
        "delete excess sessions of addresses",
        postgreSQL: """
            WITH excess AS MATERIALIZED (
                SELECT number FROM (
                    SELECT number, row_number() OVER (PARTITION BY address ORDER BY created DESC, number DESC) AS rank
                    FROM session WHERE account_id IS NULL AND address IS NOT NULL AND \(lock)
                ) AS ranked
                WHERE rank > $1 LIMIT $2
            )
            DELETE FROM session WHERE number = ANY (ARRAY(
                SELECT number FROM session JOIN excess USING (number) WHERE account_id IS NULL
                FOR UPDATE OF session SKIP LOCKED
            )) RETURNING number
            """
    )

    // The last use is compared again, because an event may have used the session since it was selected.
    private static let deleteExcessStatement = SQLStatement(
        "delete excess sessions",
        postgreSQL: """
            WITH total AS MATERIALIZED (
                SELECT count(*) - $1 AS sessions, sum(\(size)) - $2 AS memory FROM session WHERE \(lock)
            ), excess AS MATERIALIZED (
                SELECT number, last_used FROM (
                    SELECT number, last_used, row_number() OVER ended AS position,
                        sum(\(size)) OVER ended - \(size) AS freed
                    FROM \(ranked)
                    WHERE (SELECT sessions > 0 OR memory > 0 FROM total)
                    WINDOW ended AS (
                        ORDER BY \(endingOrder)
                        ROWS UNBOUNDED PRECEDING
                    )
                ) AS ordered
                WHERE position <= (SELECT sessions FROM total) OR freed < (SELECT memory FROM total)
                ORDER BY position LIMIT $3
            )
            DELETE FROM session WHERE number = ANY (ARRAY(
                SELECT number FROM session JOIN excess USING (number, last_used) FOR UPDATE OF session SKIP LOCKED
            )) RETURNING number
            """
    )
}
