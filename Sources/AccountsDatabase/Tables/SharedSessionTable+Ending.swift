internal import BusinessLogic
internal import SessionStorage

/// The sessions that end because they have expired or are too many. Each query returns some of them, for ``deleteUnused(_:)``; none while
/// another server executes it. Their names say what they are for.
extension SharedSessionTable {
    /// The expired sessions.
    static func selectExpired(_ condition: SessionRemoval, limit: Int) -> SQLStep {
        selectExpiredStatement(condition.lastUsed, condition.created, limit)
    }

    /// The sessions that exceed the maximum of their number or of their memory, in the order of `SessionClass` and of their last use.
    static func selectExcess(_ condition: SessionRemoval, limit: Int) -> SQLStep {
        selectExcessStatement(condition.maximum, condition.maximumMemory, limit)
    }

    /// Deletes a session, and returns a row, unless a request has used the session since it was selected or uses it at the moment.
    static func deleteUnused(_ row: SQLRow) throws -> SQLStep {
        deleteUnusedStatement(try row.integer(0), try row.integer(1), try row.integer(2))
    }

    /// The condition that no other server executes the query now. The lock ends with its transaction.
    private static let lock: SQLText = """
        \(postgreSQL: """
            AND (SELECT pg_try_advisory_xact_lock(hashtextextended('understudy cleaning', 'session'::regclass::oid::bigint)))
            """)
        """

    /// The bytes of a session. A damaged size counts as 0, so that it evicts no other sessions.
    private static let size: SQLText = "CASE WHEN size BETWEEN 0 AND 1 << 30 THEN size ELSE 0 END"

    private static let selectExpiredStatement = SQLStatement(
        "delete expired sessions",
        "SELECT number, version, last_used FROM session WHERE (last_used <= $1 OR created <= $2) \(lock) LIMIT $3"
    )

    /// The sessions that exceed a maximum for their address, at most as many as the limit.
    static let selectExcessOfAddresses = SQLStatement(
        "delete excess sessions of addresses",
        """
        SELECT number, version, last_used FROM (
            SELECT number, version, last_used,
                row_number() OVER (PARTITION BY address ORDER BY created DESC, number DESC) AS rank
            FROM session WHERE account_id IS NULL AND address IS NOT NULL \(lock)
        ) AS ranked
        WHERE rank > $1 LIMIT $2
        """
    )

    // The sessions have places among those of their account, from the newest on.
    private static let selectExcessStatement = SQLStatement(
        "delete excess sessions",
        """
        WITH total AS MATERIALIZED (
            SELECT count(*) - $1 AS sessions, sum(\(size)) - $2 AS memory FROM session WHERE TRUE \(lock)
        ), ranked AS (
            SELECT number, version, account_id, created, last_used, size,
                row_number() OVER (PARTITION BY account_id ORDER BY created DESC, number DESC) AS account_rank
            FROM session WHERE (SELECT sessions > 0 OR memory > 0 FROM total)
        )
        SELECT number, version, last_used FROM (
            SELECT number, version, last_used, row_number() OVER ended AS position,
                sum(\(size)) OVER ended - \(size) AS freed
            FROM ranked
            WINDOW ended AS (
                ORDER BY CASE
                    WHEN account_id IS NOT NULL
                        THEN CASE WHEN account_rank > \(number: SessionClass.maximumPerAccount) THEN 0 ELSE 3 END
                    WHEN version > 1 OR last_used > created THEN 2 ELSE 1
                END, last_used, number
                ROWS UNBOUNDED PRECEDING
            )
        ) AS ordered
        WHERE position <= (SELECT sessions FROM total) OR freed < (SELECT memory FROM total)
        ORDER BY position LIMIT $3
        """
    )

    private static let unused: SQLText = """
        SELECT number FROM session WHERE number = $1 AND version = $2 AND last_used = $3\
        \(postgreSQL: " FOR UPDATE SKIP LOCKED")
        """

    private static let deleteUnusedStatement = SQLStatement(
        "delete unused session",
        "DELETE FROM session WHERE \("number", in: unused) RETURNING number"
    )
}
