import Accounts

enum ThrottleTable {
    static let description = TableDescription(
        name: "throttle",
        columns: ["key", "failures", "last_failure", "refused"]
    )

    /// Adds an empty count unless there is one, reads the count, and locks it until the end of the transaction.
    static func lock(_ key: ThrottleKey) -> [SQLStep] { [insertStatement(key), lockStatement(key)] }

    /// Reads the count; an empty count if there is no row.
    static func count(_ row: SQLRow?) throws -> FailureCount {
        guard let row else { return FailureCount() }
        return FailureCount(
            failures: FailureCount.stored(try row.integer(1)),
            lastFailure: try row.optionalTime(2),
            refused: try row.number(3)
        )
    }

    private static let query: SQLText = "\(description.selection()) WHERE key = $1"

    static let select = SQLStatement("throttle", query)

    /// The keys by which logins are limited, with counts, those with the most failures first: last failed at a time or later, at most as many as
    /// the limit.
    static let selectMost = SQLStatement(
        "most failed logins",
        """
        \(description.selection())
        WHERE last_failure >= $1 AND (key LIKE 'account:%' OR key LIKE 'stranger:%' OR key LIKE 'second factor%')
        ORDER BY failures + refused DESC, key LIMIT $2
        """
    )

    private static let lockStatement = SQLStatement("lock throttle", "\(query)\(postgreSQL: " FOR UPDATE")")

    private static let insertStatement = SQLStatement(
        "insert throttle",
        postgreSQL: "INSERT INTO throttle (key) VALUES ($1) ON CONFLICT (key) DO NOTHING"
    )

    static let upsert = SQLStatement("update throttle", description.upsertion)

    static let delete = SQLStatement("delete throttle", "DELETE FROM throttle WHERE key = $1")
}
