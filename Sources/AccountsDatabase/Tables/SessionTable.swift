import Accounts
import BusinessLogic
import SessionStorage

/// The SQL of the tables `session`, `session_event` and `replaced_session`, and of the key of addresses.
enum SessionTable {
    static let description = TableDescription(
        name: "session",
        columns: [
            "number", "id", "version", "account_id", "created", "last_used", "content", "address", "size", "key",
            "browser",
        ],
        isNumbered: true,
        batchSize: 100
    )

    private static let replacement = TableDescription(
        name: "replaced_session",
        columns: ["id", "expires", "response"],
        batchSize: 100
    )

    /// All tables, in an order in which each row follows those that it refers to.
    static let descriptions = [
        TableDescription(name: "address_key", columns: ["id", "key"]), description,
        TableDescription(
            name: "session_event",
            columns: ["session", "version", "token", "content"],
            keyCount: 2,
            batchSize: 100
        ),
        replacement,
    ]

    /// A session of a user; `nil` if its ID is damaged.
    static func session(_ row: SQLRow) throws -> UserSession? {
        guard let session = SessionID(bytes: try row.bytes(0)) else { return nil }
        return UserSession(
            session,
            created: try row.time(1),
            lastUsed: try row.time(2),
            browser: try row.optionalText(3)
        )
    }

    /// Deletes the replaced IDs that have expired, and sets some of the times in the future to the present.
    static func cleanTimes(at now: Timestamp, limit: Int) -> [SQLStep] {
        // The clock of another server may be a minute ahead, and an ID expires a minute after it was replaced.
        let minute = Duration.seconds(60)
        return [
            deleteReplacements(now),
            limitTimes(now, now + minute, limit),
            limitReplacements(now + minute, now + minute + minute),
        ]
    }

    /// The key with which servers hash addresses: the stored one. If no key is stored, stores a new one first.
    static var addressKey: [SQLStep] { [insertAddressKey(randomBytes(32)), selectAddressKey()] }

    /// The sessions of an account, which ``session(_:)`` reads.
    static let selectOfUser = SQLStatement(
        "sessions of user",
        "SELECT id, created, last_used, browser FROM session WHERE account_id = $1 ORDER BY last_used, id"
    )

    static func listed(_ row: SQLRow) throws -> ListedSession {
        ListedSession(
            number: try row.number(0),
            id: try row.bytes(1),
            user: try row.optionalText(2),
            created: try row.time(3),
            lastUsed: try row.time(4),
            events: try row.number(5),
            size: try row.number(6)
        )
    }

    /// The sessions after a number, at most as many as the limit, which ``listed(_:)`` reads.
    static let list = SQLStatement(
        "list sessions",
        """
        SELECT number, id, account_id, created, last_used, version, size FROM session WHERE number > $1
        ORDER BY number LIMIT $2
        """
    )

    /// Whether a commit has stored a session: its ID, the version before it, and its token.
    static let contains = SQLStatement(
        "find commit",
        """
        SELECT EXISTS (
            SELECT 1 FROM session_event JOIN session ON session.number = session_event.session
            WHERE session.id = $1 AND session_event.version > $2 AND token = $3
        )
        """
    )

    /// Stores the ID that a login or logout has replaced, until when it is known, and the encrypted response.
    static let insertReplacement = SQLStatement("replace session id", replacement.upsertion)

    static let touch = SQLStatement(
        "use session",
        "UPDATE session SET last_used = \(.greatest)(last_used, $2) WHERE id = $1"
    )

    static let delete = SQLStatement("end session", "DELETE FROM session WHERE id = $1")

    static let deleteOfAccount = SQLStatement("end sessions of account", "DELETE FROM session WHERE account_id = $1")

    private static let deleteReplacements = SQLStatement(
        "delete replaced session ids",
        "DELETE FROM replaced_session WHERE expires <= $1"
    )

    // In PostgreSQL, it leaves out sessions that an event uses at the moment, so that neither waits for the other for long.
    private static let future: SQLText = """
        SELECT number FROM session WHERE last_used > $2 OR created > $2 LIMIT $3\(.skippingLocked)
        """

    private static let limitTimes = SQLStatement(
        "limit session times",
        """
        UPDATE session SET last_used = \(.least)(last_used, $1), created = \(.least)(created, $1)
        WHERE \("number", in: future)
        """
    )

    private static let limitReplacements = SQLStatement(
        "limit replaced session ids",
        "UPDATE replaced_session SET expires = $1 WHERE expires > $2"
    )

    private static let insertAddressKey = SQLStatement(
        "insert address key",
        "INSERT INTO address_key (id, key) VALUES (1, $1) ON CONFLICT (id) DO NOTHING"
    )

    private static let selectAddressKey = SQLStatement("address key", "SELECT key FROM address_key")
}

/// The sessions of a server with sessions in memory, while it is not running.
extension SessionTable {
    /// Saves a session, or replaces the one with the same ID.
    static func save(_ session: StoredSession) -> SQLStep {
        saveStatement(
            session.id,
            session.user,
            session.created,
            session.lastUsed,
            session.content,
            session.address,
            session.content.count,
            session.key,
            session.browser
        )
    }

    private static let saveStatement = SQLStatement(
        "save session",
        """
        INSERT INTO session (id, version, account_id, created, last_used, content, address, size, key, browser)
        VALUES ($1, 1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO UPDATE
        SET account_id = excluded.account_id, created = excluded.created, last_used = excluded.last_used,
            content = excluded.content, address = excluded.address, size = excluded.size, key = excluded.key,
            browser = excluded.browser
        """
    )

    /// The sessions that have been unused longest, at most as many as the limit, which ``sessions(_:)`` reads. Locks them until the end of the
    /// transaction. In PostgreSQL, it skips the sessions that another server takes now.
    static let selectUnused = SQLStatement(
        "take sessions",
        withEvents("SELECT number FROM session ORDER BY last_used, id LIMIT $1\(.skippingLocked)")
    )
}

/// What requests read and events change.
extension SessionTable {
    /// Sessions of consecutive rows, each with its events.
    static func sessions(_ rows: [SQLRow]) throws -> [StoredSession] {
        var sessions: [StoredSession] = []
        for row in rows {
            let id = try row.bytes(9)
            if sessions.last?.id != id { sessions.append(try StoredSession(id, row)) }
            guard try row.optionalInteger(7) != nil else { continue }
            let event = StoredEvent(version: try row.number(7), content: try row.bytes(8))
            sessions[sessions.count - 1].events.append(event)
        }
        return sessions
    }

    /// Reads the sessions whose numbers a query returns, with their events, in the order of their last use.
    private static func withEvents(_ query: SQLText) -> SQLText {
        """
        SELECT session.version, account_id, created, last_used, session.content, address, key,
            session_event.version, session_event.content, id, browser
        FROM session LEFT JOIN session_event ON session_event.session = session.number
        WHERE \("number", in: query) ORDER BY last_used, id, session_event.version
        """
    }

    /// The sessions of an account, which ``sessions(_:)`` reads.
    static let selectOfAccount = SQLStatement(
        "sessions of account",
        withEvents("SELECT number FROM session WHERE account_id = $1")
    )

    static func lookup(_ rows: [SQLRow], unlessVersion known: Int) throws -> SessionLookup {
        guard let row = rows.first else { return .unknown }
        guard let version = try row.optionalInteger(0).map({ Int($0) }) else {
            return .replaced(response: try row.optionalBytes(4))
        }
        if version == known { return .unchanged(lastUsed: try row.time(3)) }
        return .found(try sessions(rows)[0])
    }

    /// Stores the change of a session, in PostgreSQL with its event. Returns no row if the session has another version than the event has read.
    static func store(_ change: SessionChange) -> SQLStep {
        let (session, token, event, size) = (change.session, change.token, change.event, change.size)
        let (id, user, lastUsed, content) = (session.id, session.user, session.lastUsed, session.content)
        guard change.version > 0 else {
            let (created, address, key, browser) = (session.created, session.address, session.key, session.browser)
            return insertStatement(token, event, id, user, created, lastUsed, content, address, size, key, browser)
        }
        let (current, version, key) = (change.currentID, change.version, session.key)
        guard change.userChange != nil else {
            return updateStatement(token, event, current, version, lastUsed, content, size, key)
        }
        let browser = session.browser
        return updateUserStatement(token, event, current, version, lastUsed, content, size, key, id, user, browser)
    }

    /// A session, with its content and its events if its version is not the known one; if there is no session, the response of the login
    /// that has replaced the ID. ``lookup(_:unlessVersion:)`` reads them.
    static let find = SQLStatement(
        "find session",
        """
        SELECT session.version, account_id, created, last_used,
            CASE session.version WHEN $2 THEN NULL ELSE session.content END, address, key,
            session_event.version, session_event.content, id, browser
        FROM session
        LEFT JOIN session_event ON session_event.session = session.number AND session.version <> $2
        WHERE id = $1
        UNION ALL
        SELECT NULL, NULL, NULL, NULL, response, NULL, NULL, NULL, NULL, NULL, NULL
        FROM replaced_session WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM session WHERE id = $1)
        ORDER BY 8
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

    /// The IDs and versions of those sessions that exist. The parameter is the IDs, one after the other.
    static let selectVersions = SQLStatement(
        "session versions",
        "SELECT id, version FROM session WHERE \("id", in: ids)"
    )

    private static let insertStatement = storing(
        "insert session",
        """
        INSERT INTO session (id, version, account_id, created, last_used, content, address, size, key, browser)
        VALUES ($3, 1, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (id) DO NOTHING RETURNING number, version
        """
    )

    private static let updateStatement = storing("store event", update())

    private static let updateUserStatement = storing(
        "store login",
        update(", id = $9, account_id = $10, browser = $11")
    )

    private static func update(_ others: SQLText = "") -> SQLText {
        """
        UPDATE session SET version = version + 1, last_used = \(.greatest)(last_used, $5), content = $6, size = $7,
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

    static let deleteEvents = SQLStatement(
        "delete events",
        "DELETE FROM session_event WHERE session = (SELECT number FROM session WHERE id = $1) AND version < $2"
    )
}

/// The sessions that end because they have expired or are too many. Each query returns some of them, for ``deleteUnused(_:)``; none while
/// another server executes it. Their names say what they are for.
extension SessionTable {
    /// The condition that no other server executes the query now. The lock ends with its transaction.
    private static let lock: SQLText = """
        \(postgreSQL: """
            AND (SELECT pg_try_advisory_xact_lock(hashtextextended('understudy cleaning', 'session'::regclass::oid::bigint)))
            """)
        """

    /// The bytes of a session. A damaged size counts as 0, so that it evicts no other sessions.
    private static let size: SQLText = "CASE WHEN size BETWEEN 0 AND 1 << 30 THEN size ELSE 0 END"

    /// The expired sessions: last used at the first time or before, or started at the second.
    static let selectExpired = SQLStatement(
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

    /// The sessions that exceed the maximum of their number or of their memory, in the order of `SessionClass` and of their last use.
    ///
    /// They have places among those of their account, from the newest on.
    static let selectExcess = SQLStatement(
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
                        THEN CASE WHEN account_rank > \(verbatim: SessionClass.maximumPerAccount) THEN 0 ELSE 3 END
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
        SELECT number FROM session WHERE number = $1 AND version = $2 AND last_used = $3\(.skippingLocked)
        """

    /// Deletes a session, and returns a row, unless a request has used the session since it was selected or uses it at the moment.
    static let deleteUnused = SQLStatement(
        "delete unused session",
        "DELETE FROM session WHERE \("number", in: unused) RETURNING number"
    )
}

extension StoredSession {
    /// - Parameter row: contains the version, the user, the two times, the content, the address, the key, and at last the browser.
    fileprivate init(_ id: [UInt8], _ row: SQLRow) throws {
        self.init(
            id: id,
            user: try row.optionalText(1),
            browser: try row.optionalText(10),
            created: try row.time(2),
            lastUsed: try row.time(3),
            content: try row.bytes(4),
            address: try row.optionalBytes(5),
            key: try row.optionalText(6),
            version: try row.number(0)
        )
    }
}
