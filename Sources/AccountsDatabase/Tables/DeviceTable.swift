package import Accounts
package import BusinessLogic

/// The SQL of the table `device`.
package enum DeviceTable {
    /// The maximum number of expired devices to delete in one write, so that no write takes long.
    private static let expiredAtOnce = 100

    package static func select(_ key: DeviceKey) -> SQLStep { selectStatement(.bytes(key.bytes)) }

    /// The devices of an account. Those that expire first are first.
    package static func select(of account: AccountID) -> SQLStep { selectOfAccount(.text(account.text)) }

    /// Reads a device, and locks it until the end of the transaction.
    package static func lock(_ key: DeviceKey) -> SQLStep { lockStatement(.bytes(key.bytes)) }

    package static func update(_ key: DeviceKey, failures: Int) -> SQLStep {
        updateStatement(.bytes(key.bytes), .number(failures))
    }

    package static func delete(_ key: DeviceKey) -> SQLStep { deleteStatement(.bytes(key.bytes)) }

    /// Deletes all devices of an account.
    package static func delete(of account: AccountID) -> SQLStep { deleteOfAccount(.text(account.text)) }

    /// Inserts a device or replaces the one with the same key. Deletes those other devices of the same account that expire first, so
    /// that at most `limit` remain, and some of the expired devices.
    package static func insert(_ device: Device, limit: Int, at now: Timestamp) -> [SQLStep] {
        let key = SQLValue.bytes(device.key.bytes)
        let account = SQLValue.text(device.account.text)
        return [
            insertStatement(key, account, .number(device.failures), .time(device.expires)),
            deleteOthers(account, key, .number(max(0, limit - 1))),
            deleteExpired(.time(now), .number(expiredAtOnce)),
        ]
    }

    package static func device(_ row: SQLRow) throws -> Device {
        Device(
            key: DeviceKey(bytes: try row.bytes(0)),
            account: AccountID(try row.text(1)),
            failures: FailureCount.stored(try row.integer(2)),
            expires: try row.time(3)
        )
    }

    private static let all = TableDescription.device.selection()

    private static let selectStatement = SQLStatement("device", isReadOnly: true, "\(all) WHERE key = $1")

    private static let selectOfAccount = SQLStatement(
        "devices of account",
        isReadOnly: true,
        "\(all) WHERE account_id = $1 ORDER BY expires"
    )

    private static let lockStatement = SQLStatement("lock device", "\(all) WHERE key = $1\(postgreSQL: " FOR UPDATE")")

    private static let updateStatement = SQLStatement("update device", "UPDATE device SET failures = $2 WHERE key = $1")

    private static let deleteStatement = SQLStatement("delete device", "DELETE FROM device WHERE key = $1")

    private static let deleteOfAccount = SQLStatement(
        "delete devices of account",
        "DELETE FROM device WHERE account_id = $1"
    )

    private static let insertStatement = SQLStatement("insert device", TableDescription.device.upsertion)

    private static let others: SQLText = """
        SELECT key FROM device WHERE account_id = $1 AND key <> $2
        ORDER BY expires DESC LIMIT \(postgreSQL: "ALL", sqlite: "-1") OFFSET $3
        """

    private static let deleteOthers = SQLStatement(
        "delete other devices",
        "DELETE FROM device WHERE \("key", in: others)"
    )

    // In PostgreSQL, it skips what other transactions have locked, so that it waits for none.
    private static let expired: SQLText = """
        SELECT key FROM device WHERE expires <= $1 ORDER BY expires LIMIT $2\(postgreSQL: " FOR UPDATE SKIP LOCKED")
        """

    private static let deleteExpired = SQLStatement(
        "delete expired devices",
        "DELETE FROM device WHERE \("key", in: expired)"
    )
}
