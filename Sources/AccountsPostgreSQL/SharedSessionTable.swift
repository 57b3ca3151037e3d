internal import Accounts
internal import BusinessLogic
internal import PostgreSQL
internal import SessionStorage

/// The SQL of the tables `session`, `session_event` and `replaced_session`.
enum SharedSessionTable {
    // MARK: Reading

    /// A session, with its content and its events if its version is not the known one; if there is no session, the response of the login
    /// that has replaced the ID.
    static func find(_ id: [UInt8], unlessVersion known: Int) -> PostgreSQLStep {
        findStatement(.bytes(id), .number(known))
    }

    static func lookup(_ result: PostgreSQLResult, _ id: [UInt8], unlessVersion known: Int) throws -> SessionLookup {
        guard let row = result.first else { return .unknown }
        guard let version = try row.optionalInteger(0).map({ Int($0) }) else {
            return .replaced(response: try row.optionalBytes(4))
        }
        if version == known { return .unchanged(lastUsed: try row.time(1)) }
        let session = StoredSession(
            id: id,
            user: try row.optionalUTF8(3),
            created: try row.time(2),
            lastUsed: try row.time(1),
            content: try row.bytes(4),
            address: try row.optionalBytes(7)
        )
        let events = try result.filter { try $0.optionalInteger(5) != nil }.map { row in
            StoredEvent(version: try row.number(5), content: try row.bytes(6))
        }
        return .found(SharedSession(session: session, version: version, events: events))
    }

    /// The IDs of an account's sessions.
    static func ids(of account: AccountID) -> PostgreSQLStep { idsOfAccount(.utf8(account.text)) }

    // MARK: Committing

    /// Stores the change of a session with its event. Affects no row if the session has another version than the event has read.
    static func store(_ change: SessionChange) -> PostgreSQLStep {
        let session = change.session
        let (id, user): (PostgreSQLValue, PostgreSQLValue) = (.bytes(session.id), .utf8(session.user))
        let (token, event): (PostgreSQLValue, PostgreSQLValue) = (.bytes(change.token), .bytes(change.event))
        let (lastUsed, content): (PostgreSQLValue, PostgreSQLValue) = (.time(session.lastUsed), .bytes(session.content))
        let size = PostgreSQLValue.number(change.size)
        guard change.version > 0 else {
            let address = session.address.map { PostgreSQLValue.bytes($0) } ?? .null
            return insertStatement(id, user, .time(session.created), lastUsed, content, token, event, address, size)
        }
        let current = PostgreSQLValue.bytes(change.currentID)
        let version = PostgreSQLValue.number(change.version)
        guard change.userChange != nil else {
            return updateStatement(current, version, lastUsed, content, token, event, size)
        }
        return updateUserStatement(current, version, lastUsed, content, token, event, size, id, user)
    }

    /// Deletes events that a session no longer needs.
    static func deleteEvents(_ change: SessionChange) -> PostgreSQLStep {
        deleteEventsStatement(.bytes(change.session.id), .number(change.oldestEvent))
    }

    /// Whether the change has been committed before.
    static func contains(_ change: SessionChange) -> PostgreSQLStep {
        containsStatement(.bytes(change.session.id), .number(change.version), .bytes(change.token))
    }

    /// Stores the ID that a login or logout has replaced.
    static func insertReplacement(_ id: [UInt8], _ change: SessionChange.UserChange) -> PostgreSQLStep {
        insertReplacementStatement(.bytes(id), .time(change.expires), change.response.map { .bytes($0) } ?? .null)
    }

    // MARK: Using and ending

    static func touch(_ id: [UInt8], at now: Timestamp) -> PostgreSQLStep { touchStatement(.bytes(id), .time(now)) }

    static func delete(_ id: [UInt8]) -> PostgreSQLStep { deleteStatement(.bytes(id)) }

    /// Deletes the sessions of an account.
    static func delete(of account: AccountID) -> PostgreSQLStep { deleteOfAccount(.utf8(account.text)) }

    static func deleteReplacements(at now: Timestamp) -> PostgreSQLStep { deleteReplacementsStatement(.time(now)) }

    /// Deletes some of the expired sessions.
    static func deleteExpired(_ condition: SessionRemoval, limit: Int) -> PostgreSQLStep {
        deleteExpiredStatement(.time(condition.lastUsed), .time(condition.created), .number(limit))
    }

    /// Sets some of the times in the future to the present.
    static func limitTimes(_ condition: SessionRemoval, limit: Int) -> [PostgreSQLStep] {
        // An ID expires a minute after it was replaced.
        let expiry = (now: condition.now + .seconds(60), latest: condition.latest + .seconds(60))
        return [
            limitTimesStatement(.time(condition.now), .time(condition.latest), .number(limit)),
            limitReplacementsStatement(.time(expiry.now), .time(expiry.latest)),
        ]
    }

    /// Deletes some of the sessions that exceed the limit for their address.
    static func deleteExcessOfAddresses(_ maximum: Int, limit: Int) -> PostgreSQLStep {
        deleteExcessOfAddressesStatement(.number(maximum), .number(limit))
    }

    /// Deletes some of the sessions that exceed the maximum of their number or of their memory, in the order of `SessionClass` and of
    /// their last use.
    static func deleteExcess(_ condition: SessionRemoval, limit: Int) -> PostgreSQLStep {
        deleteExcessStatement(.number(condition.maximum), .number(condition.maximumMemory), .number(limit))
    }

    /// The key with which servers hash addresses: the stored one. If no key is stored, stores `new` first.
    static func addressKey(orNew new: [UInt8]) -> [PostgreSQLStep] {
        [insertAddressKeyStatement(.bytes(new)), addressKeyStatement()]
    }

    private static let findStatement = PostgreSQLStatement(
        name: "find session",
        isReadOnly: true,
        sql: """
            SELECT session.version, last_used, created, account_id,
                CASE session.version WHEN $2 THEN NULL ELSE session.content END, session_event.version, session_event.content,
                address
            FROM session
            LEFT JOIN session_event ON session_event.session = session.number AND session.version <> $2
            WHERE id = $1
            UNION ALL
            SELECT NULL, NULL, NULL, NULL, response, NULL, NULL, NULL FROM replaced_session
            WHERE id = $1 AND NOT EXISTS (SELECT FROM session WHERE id = $1)
            ORDER BY 6
            """
    )

    private static let idsOfAccount = PostgreSQLStatement(
        name: "shared sessions of account",
        isReadOnly: true,
        sql: "SELECT id FROM session WHERE account_id = $1 ORDER BY last_used, id"
    )

    private static let insertStatement = PostgreSQLStatement(
        name: "insert session",
        sql: """
            WITH new AS (
                INSERT INTO session (id, version, account_id, created, last_used, content, address, size)
                VALUES ($1, 1, $2, $3, $4, $5, $8, $9)
                ON CONFLICT (id) DO NOTHING RETURNING number
            )
            INSERT INTO session_event (session, version, token, content) SELECT number, 1, $6, $7 FROM new
            """
    )

    // One statement, which is as fast as the update alone; as two statements in a transaction, they take half as long again.
    private static let updateStatement = PostgreSQLStatement(
        name: "store event",
        sql: """
            WITH changed AS (
                UPDATE session SET version = version + 1, last_used = $3, content = $4, size = $7
                WHERE id = $1 AND version = $2 RETURNING number, version
            )
            INSERT INTO session_event (session, version, token, content) SELECT number, version, $5, $6 FROM changed
            """
    )

    private static let updateUserStatement = PostgreSQLStatement(
        name: "store login",
        sql: """
            WITH changed AS (
                UPDATE session SET version = version + 1, last_used = $3, content = $4, size = $7, id = $8,
                    account_id = $9
                WHERE id = $1 AND version = $2 RETURNING number, version
            )
            INSERT INTO session_event (session, version, token, content) SELECT number, version, $5, $6 FROM changed
            """
    )

    private static let deleteEventsStatement = PostgreSQLStatement(
        name: "delete events",
        sql: """
            DELETE FROM session_event USING session
            WHERE session_event.session = session.number AND session.id = $1 AND session_event.version < $2
            """
    )

    private static let containsStatement = PostgreSQLStatement(
        name: "find commit",
        isReadOnly: true,
        sql: """
            SELECT EXISTS (
                SELECT FROM session_event JOIN session ON session.number = session_event.session
                WHERE session.id = $1 AND session_event.version > $2 AND token = $3
            )
            """
    )

    private static let insertReplacementStatement = PostgreSQLStatement(
        name: "replace session id",
        sql: """
            INSERT INTO replaced_session (id, expires, response) VALUES ($1, $2, $3)
            ON CONFLICT (id) DO UPDATE SET expires = excluded.expires, response = excluded.response
            """
    )

    private static let touchStatement = PostgreSQLStatement(
        name: "use session",
        sql: "UPDATE session SET last_used = greatest(last_used, $2) WHERE id = $1"
    )

    private static let deleteStatement = PostgreSQLStatement(
        name: "end session",
        sql: "DELETE FROM session WHERE id = $1"
    )

    private static let deleteOfAccount = PostgreSQLStatement(
        name: "end sessions of account",
        sql: "DELETE FROM session WHERE account_id = $1"
    )

    private static let deleteReplacementsStatement = PostgreSQLStatement(
        name: "delete replaced session ids",
        sql: "DELETE FROM replaced_session WHERE expires <= $1"
    )

    // The three statements that delete many sessions find none while another server executes one of them. They leave out sessions that an
    // event uses at the moment, so that neither waits for the other for long.

    /// Whether no other server removes sessions now. The lock ends with the transaction.
    private static let lock = """
        (SELECT pg_try_advisory_xact_lock(hashtextextended('understudy cleaning', 'session'::regclass::oid::bigint)))
        """

    private static let deleteExpiredStatement = PostgreSQLStatement(
        name: "delete expired sessions",
        sql: """
            DELETE FROM session WHERE number = ANY (ARRAY(
                SELECT number FROM session WHERE (last_used <= $1 OR created <= $2) AND \(lock)
                LIMIT $3 FOR UPDATE SKIP LOCKED
            ))
            """
    )

    private static let limitTimesStatement = PostgreSQLStatement(
        name: "limit session times",
        sql: """
            UPDATE session SET last_used = least(last_used, $1), created = least(created, $1)
            WHERE number = ANY (ARRAY(
                SELECT number FROM session WHERE last_used > $2 OR created > $2 LIMIT $3 FOR UPDATE SKIP LOCKED
            ))
            """
    )

    private static let limitReplacementsStatement = PostgreSQLStatement(
        name: "limit replaced session ids",
        sql: "UPDATE replaced_session SET expires = $1 WHERE expires > $2"
    )

    private static let deleteExcessOfAddressesStatement = PostgreSQLStatement(
        name: "delete excess sessions of addresses",
        sql: """
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
            ))
            """
    )

    /// The bytes of a session. A damaged size counts as 0, so that it evicts no other sessions.
    private static let size = "CASE WHEN size BETWEEN 0 AND 1 << 30 THEN size ELSE 0 END"

    // The last use is compared again, because an event may have used the session since it was selected.
    private static let deleteExcessStatement = PostgreSQLStatement(
        name: "delete excess sessions",
        sql: """
            WITH total AS MATERIALIZED (
                SELECT count(*) - $1 AS sessions, sum(\(size)) - $2 AS memory FROM session WHERE \(lock)
            ), excess AS MATERIALIZED (
                SELECT number, last_used FROM (
                    SELECT number, last_used, row_number() OVER ended AS position,
                        sum(\(size)) OVER ended - \(size) AS freed
                    FROM session
                    WHERE (SELECT sessions > 0 OR memory > 0 FROM total)
                    WINDOW ended AS (
                        ORDER BY CASE
                            WHEN account_id IS NOT NULL THEN 2 WHEN version > 1 OR last_used > created THEN 1 ELSE 0
                        END, last_used, number
                        ROWS UNBOUNDED PRECEDING
                    )
                ) AS ordered
                WHERE position <= (SELECT sessions FROM total) OR freed < (SELECT memory FROM total)
                ORDER BY position LIMIT $3
            )
            DELETE FROM session WHERE number = ANY (ARRAY(
                SELECT number FROM session JOIN excess USING (number, last_used) FOR UPDATE OF session SKIP LOCKED
            ))
            """
    )

    private static let insertAddressKeyStatement = PostgreSQLStatement(
        name: "insert address key",
        sql: "INSERT INTO address_key (id, key) VALUES (1, $1) ON CONFLICT (id) DO NOTHING"
    )

    private static let addressKeyStatement = PostgreSQLStatement(
        name: "address key",
        isReadOnly: true,
        sql: "SELECT key FROM address_key"
    )
}
