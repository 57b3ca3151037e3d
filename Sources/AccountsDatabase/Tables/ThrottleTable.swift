package import Accounts

/// The SQL of the table `throttle`.
package enum ThrottleTable {
    /// Adds an empty count unless there is one, reads the count, and locks it until the end of the transaction.
    package static func lock(_ key: ThrottleKey) -> [SQLStep] {
        let key = SQLValue.text(key.text)
        return [insertStatement(key), lockStatement(key)]
    }

    package static func select(_ key: ThrottleKey) -> SQLStep { selectStatement(.text(key.text)) }

    /// Saves the count of a key.
    package static func upsert(_ key: ThrottleKey, _ count: FailureCount) -> SQLStep {
        upsertStatement(.text(key.text), .number(count.failures), .time(count.lastFailure), .number(count.refused))
    }

    package static func delete(_ key: ThrottleKey) -> SQLStep { deleteStatement(.text(key.text)) }

    /// Reads the count; an empty count if there is no row.
    package static func count(_ row: SQLRow?) throws -> FailureCount {
        guard let row else { return FailureCount() }
        return FailureCount(
            failures: FailureCount.stored(try row.integer(1)),
            lastFailure: try row.optionalTime(2),
            refused: try row.number(3)
        )
    }

    private static let query: SQLText = "\(TableDescription.throttle.selection()) WHERE key = $1"

    private static let selectStatement = SQLStatement("throttle", isReadOnly: true, query)

    private static let lockStatement = SQLStatement("lock throttle", "\(query)\(postgreSQL: " FOR UPDATE")")

    private static let insertStatement = SQLStatement(
        "insert throttle",
        postgreSQL: "INSERT INTO throttle (key) VALUES ($1) ON CONFLICT (key) DO NOTHING"
    )

    private static let upsertStatement = SQLStatement("update throttle", TableDescription.throttle.upsertion)

    private static let deleteStatement = SQLStatement("delete throttle", "DELETE FROM throttle WHERE key = $1")
}
