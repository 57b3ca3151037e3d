internal import Accounts
internal import BusinessLogic
internal import PostgreSQL

/// The SQL of the table `throttle`. A key with an empty count keeps its row, because an update is cheaper than a deletion and an insertion.
enum ThrottleTable {
    /// Adds an empty count unless there is one, reads the count, and locks it until the end of the transaction.
    static func lock(_ key: ThrottleKey) -> [PostgreSQLStep] {
        let key = PostgreSQLValue.utf8(key.text)
        return [insertStatement(key), lockStatement(key)]
    }

    static func update(_ key: ThrottleKey, _ count: FailureCount) -> PostgreSQLStep {
        updateStatement(
            .utf8(key.text),
            .number(count.failures),
            count.lastFailure.map { .time($0) } ?? .null,
            .number(count.refused)
        )
    }

    static func delete(_ key: ThrottleKey) -> PostgreSQLStep { deleteStatement(.utf8(key.text)) }

    static func select(_ key: ThrottleKey) -> PostgreSQLStep { selectStatement(.utf8(key.text)) }

    /// Reads the count of a result; an empty count if there is no row.
    static func count(_ result: PostgreSQLResult) throws -> FailureCount {
        guard let row = result.first else { return FailureCount() }
        return FailureCount(
            failures: FailureCount.stored(try row.integer(0)),
            lastFailure: try row.optionalInteger(1).map { Timestamp(milliseconds: $0) },
            refused: try row.number(2)
        )
    }

    private static let insertStatement = PostgreSQLStatement(
        name: "insert throttle",
        sql: "INSERT INTO throttle (key) VALUES ($1) ON CONFLICT (key) DO NOTHING"
    )

    private static let lockStatement = PostgreSQLStatement(
        name: "lock throttle",
        sql: "SELECT failures, last_failure, refused FROM throttle WHERE key = $1 FOR UPDATE"
    )

    private static let updateStatement = PostgreSQLStatement(
        name: "update throttle",
        sql: "UPDATE throttle SET failures = $2, last_failure = $3, refused = $4 WHERE key = $1"
    )

    private static let deleteStatement = PostgreSQLStatement(
        name: "delete throttle",
        sql: "DELETE FROM throttle WHERE key = $1"
    )

    private static let selectStatement = PostgreSQLStatement(
        name: "throttle",
        isReadOnly: true,
        sql: "SELECT failures, last_failure, refused FROM throttle WHERE key = $1"
    )
}
