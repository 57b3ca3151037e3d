import Accounts
import BundledControllers
import BusinessLogic

enum DeviceTable {
    static let description = TableDescription(
        name: "device",
        columns: ["key", "account_id", "failures", "expires", "agent"]
    )

    /// The maximum number of expired devices to delete in one write, so that no write takes long.
    private static let expiredAtOnce = 100

    /// Inserts a device or replaces the one with the same key. Deletes those other devices of the same account that expire first, so
    /// that at most `limit` remain, and some of the expired devices. Agents count separately.
    static func insert(_ device: Device, limit: Int, at now: Timestamp) -> [SQLStep] {
        [
            insertStatement(device.key, device.account, device.failures, device.expires, device.agent?.text),
            deleteOthers(device.account, device.key, max(0, limit - 1)),
            deleteExpired(now, expiredAtOnce),
        ]
    }

    static func device(_ row: SQLRow) throws -> Device {
        Device(
            key: DeviceKey(bytes: try row.bytes(0)),
            account: AccountID(try row.text(1)),
            failures: FailureCount.stored(try row.integer(2)),
            expires: try row.time(3),
            agent: try row.optionalText(4).map { AgentGrant(text: $0) }
        )
    }

    private static let all = description.selection()

    static let select = SQLStatement("device", "\(all) WHERE key = $1")

    static let selectOfAccount = SQLStatement("devices of account", "\(all) WHERE account_id = $1 ORDER BY expires")

    static let lock = SQLStatement("lock device", "\(all) WHERE key = $1\(postgreSQL: " FOR UPDATE")")

    static let update = SQLStatement("update device", "UPDATE device SET failures = $2 WHERE key = $1")

    static let delete = SQLStatement("delete device", "DELETE FROM device WHERE key = $1")

    static let deleteOfAccount = SQLStatement("delete devices of account", "DELETE FROM device WHERE account_id = $1")

    private static let insertStatement = SQLStatement("insert device", description.upsertion)

    private static let others: SQLText = """
        SELECT key FROM device WHERE account_id = $1 AND key <> $2
        AND (agent IS NULL) = (SELECT new.agent IS NULL FROM device new WHERE new.key = $2)
        ORDER BY expires DESC LIMIT \(postgreSQL: "ALL", sqlite: "-1") OFFSET $3
        """

    private static let deleteOthers = SQLStatement(
        "delete other devices",
        "DELETE FROM device WHERE \("key", in: others)"
    )

    // In PostgreSQL, it skips what other transactions have locked, so that it waits for none.
    private static let expired: SQLText = """
        SELECT key FROM device WHERE expires <= $1 ORDER BY expires LIMIT $2\(.skippingLocked)
        """

    private static let deleteExpired = SQLStatement(
        "delete expired devices",
        "DELETE FROM device WHERE \("key", in: expired)"
    )
}

extension AgentGrant {
    /// The grant as the table contains it: what the agent may do, and its name.
    fileprivate var text: String { (mayChange ? "change " : "look ") + name }

    fileprivate init(text: String) {
        // As bytes, because a name can begin with a combining character.
        let parts = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
        let mayChange = parts[0].elementsEqual("change".utf8)
        self.init(name: String(Substring(parts[parts.count - 1])), mayChange: mayChange)
    }
}
