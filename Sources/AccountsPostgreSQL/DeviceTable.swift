internal import Accounts
internal import BusinessLogic
internal import PostgreSQL

/// The SQL of the table `device`.
enum DeviceTable {
    /// The maximum number of expired devices to delete in one write, so that no write takes long.
    private static let expiredAtOnce = 100

    static func select(_ key: DeviceKey) -> PostgreSQLStep { selectStatement(.bytes(key.bytes)) }

    /// The devices of an account. Those that expire first are first.
    static func select(of account: AccountID) -> PostgreSQLStep { selectOfAccount(.utf8(account.text)) }

    /// Reads the number of failures of a device, and locks the device until the end of the transaction.
    static func lockFailures(of key: DeviceKey) -> PostgreSQLStep { lockStatement(.bytes(key.bytes)) }

    static func update(_ key: DeviceKey, failures: Int) -> PostgreSQLStep {
        updateStatement(.bytes(key.bytes), .number(failures))
    }

    static func delete(_ key: DeviceKey) -> PostgreSQLStep { deleteStatement(.bytes(key.bytes)) }

    /// Deletes all devices of an account.
    static func delete(of account: AccountID) -> PostgreSQLStep { deleteOfAccount(.utf8(account.text)) }

    /// Inserts a device or replaces the one with the same key. Deletes those other devices of the same account that expire first, so
    /// that at most `limit` remain, and some of the expired devices.
    static func insert(_ device: Device, limit: Int, at now: Timestamp) -> [PostgreSQLStep] {
        let key = PostgreSQLValue.bytes(device.key.bytes)
        let account = PostgreSQLValue.utf8(device.account.text)
        return [
            insertStatement(key, account, .number(device.failures), .time(device.expires)),
            deleteOthers(account, key, .number(max(0, limit - 1))),
            deleteExpired(.time(now), .number(expiredAtOnce)),
        ]
    }

    /// Reads the devices of a result.
    static func devices(_ result: PostgreSQLResult) throws -> [Device] {
        try result.map { row in
            Device(
                key: DeviceKey(bytes: try row.bytes(0)),
                account: AccountID(try row.utf8(1)),
                failures: FailureCount.stored(try row.integer(2)),
                expires: try row.time(3)
            )
        }
    }

    private static let selectStatement = PostgreSQLStatement(
        name: "device",
        isReadOnly: true,
        sql: "SELECT key, account_id, failures, expires FROM device WHERE key = $1"
    )

    private static let selectOfAccount = PostgreSQLStatement(
        name: "devices of account",
        isReadOnly: true,
        sql: "SELECT key, account_id, failures, expires FROM device WHERE account_id = $1 ORDER BY expires"
    )

    private static let lockStatement = PostgreSQLStatement(
        name: "lock device",
        sql: "SELECT failures FROM device WHERE key = $1 FOR UPDATE"
    )

    private static let updateStatement = PostgreSQLStatement(
        name: "update device",
        sql: "UPDATE device SET failures = $2 WHERE key = $1"
    )

    private static let deleteStatement = PostgreSQLStatement(
        name: "delete device",
        sql: "DELETE FROM device WHERE key = $1"
    )

    private static let deleteOfAccount = PostgreSQLStatement(
        name: "delete devices of account",
        sql: "DELETE FROM device WHERE account_id = $1"
    )

    private static let insertStatement = PostgreSQLStatement(
        name: "insert device",
        sql: """
            INSERT INTO device (key, account_id, failures, expires) VALUES ($1, $2, $3, $4)
            ON CONFLICT (key) DO UPDATE
            SET account_id = excluded.account_id, failures = excluded.failures, expires = excluded.expires
            """
    )

    private static let deleteOthers = PostgreSQLStatement(
        name: "delete other devices",
        sql: """
            DELETE FROM device WHERE key = ANY (ARRAY(
                SELECT key FROM device WHERE account_id = $1 AND key <> $2 ORDER BY expires DESC OFFSET $3
            ))
            """
    )

    // Skips what other transactions have locked, so that it waits for none.
    private static let deleteExpired = PostgreSQLStatement(
        name: "delete expired devices",
        sql: """
            DELETE FROM device WHERE key = ANY (ARRAY(
                SELECT key FROM device WHERE expires <= $1 ORDER BY expires LIMIT $2 FOR UPDATE SKIP LOCKED
            ))
            """
    )
}
