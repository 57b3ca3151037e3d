internal import Accounts
internal import BusinessLogic
internal import SessionStorage

/// The SQL of the tables `session`, `session_event` and `replaced_session`, and of the key of addresses.
enum SharedSessionTable {
    /// A session of an account; `nil` if its ID is damaged.
    static func session(_ row: SQLRow) throws -> UserSession? {
        guard let session = SessionReference(bytes: try row.bytes(0)) else { return nil }
        return UserSession(session, created: try row.time(1), lastUsed: try row.time(2))
    }

    /// Whether the change has been committed before.
    static func contains(_ change: SessionChange) -> SQLStep {
        containsStatement(change.session.id, change.version, change.token)
    }

    /// Deletes the replaced IDs that have expired, and sets some of the times in the future to the present.
    static func cleanTimes(_ condition: SessionRemoval, limit: Int) -> [SQLStep] {
        // An ID expires a minute after it was replaced.
        let expiry = (now: condition.now + .seconds(60), latest: condition.latest + .seconds(60))
        return [
            deleteReplacements(condition.now),
            limitTimes(condition.now, condition.latest, limit),
            limitReplacements(expiry.now, expiry.latest),
        ]
    }

    /// The key with which servers hash addresses: the stored one. If no key is stored, stores a new one first.
    static var addressKey: [SQLStep] {
        [insertAddressKey((0..<32).map { _ in UInt8.random(in: .min ... .max) }), selectAddressKey()]
    }

    /// The sessions of an account, which ``session(_:)`` reads.
    static let selectOfAccount = SQLStatement(
        "shared sessions of account",
        "SELECT id, created, last_used FROM session WHERE account_id = $1 ORDER BY last_used, id"
    )

    static func listed(_ row: SQLRow) throws -> ListedSession {
        ListedSession(
            number: try row.number(0),
            id: try row.bytes(1),
            user: try row.optionalText(2),
            created: try row.time(3),
            lastUsed: try row.time(4),
            address: try row.optionalBytes(5),
            events: try row.number(6),
            size: try row.number(7)
        )
    }

    /// The sessions after a number, at most as many as the limit, which ``listed(_:)`` reads.
    static let list = SQLStatement(
        "list sessions",
        """
        SELECT number, id, account_id, created, last_used, address, version, size FROM session WHERE number > $1
        ORDER BY number LIMIT $2
        """
    )

    private static let containsStatement = SQLStatement(
        "find commit",
        """
        SELECT EXISTS (
            SELECT 1 FROM session_event JOIN session ON session.number = session_event.session
            WHERE session.id = $1 AND session_event.version > $2 AND token = $3
        )
        """
    )

    /// Stores the ID that a login or logout has replaced, until when it is known, and the encrypted response.
    static let insertReplacement = SQLStatement("replace session id", TableDescription.replacedSession.upsertion)

    /// Records that a session is used now.
    static let touch = SQLStatement(
        "use session",
        "UPDATE session SET last_used = \(greatest)(last_used, $2) WHERE id = $1"
    )

    static let delete = SQLStatement("end session", "DELETE FROM session WHERE id = $1")

    /// Deletes the sessions of an account.
    static let deleteOfAccount = SQLStatement("end sessions of account", "DELETE FROM session WHERE account_id = $1")

    private static let deleteReplacements = SQLStatement(
        "delete replaced session ids",
        "DELETE FROM replaced_session WHERE expires <= $1"
    )

    // In PostgreSQL, it leaves out sessions that an event uses at the moment, so that neither waits for the other for long.
    private static let future: SQLText = """
        SELECT number FROM session WHERE last_used > $2 OR created > $2 LIMIT $3\(postgreSQL: " FOR UPDATE SKIP LOCKED")
        """

    static let greatest: SQLText = "\(postgreSQL: "greatest", sqlite: "max")"

    private static let least: SQLText = "\(postgreSQL: "least", sqlite: "min")"

    private static let limitTimes = SQLStatement(
        "limit session times",
        """
        UPDATE session SET last_used = \(least)(last_used, $1), created = \(least)(created, $1)
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
