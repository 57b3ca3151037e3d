public import Accounts
public import BusinessLogic
internal import Foundation
internal import GRDB
internal import SessionStorage

extension SQLiteDatabase: DeviceStore {
    public func device(_ key: DeviceKey) async throws -> Device? {
        try await read { try DeviceTable(db: $0).select(key) }
    }

    public func addDevice(
        _ device: Device,
        replacing replaced: DeviceKey?,
        limit: Int,
        at now: Timestamp
    ) async throws -> Bool {
        let add = { @Sendable (db: Database) in
            guard try AccountTable(db: db).isEnabled(device.account) else { return false }
            let table = DeviceTable(db: db)
            if let replaced { try table.delete(replaced) }
            try table.insert(device)
            try table.deleteOthers(than: device, limit: limit)
            try table.deleteExpired(at: now)
            return true
        }
        guard let work = unitOfWork else { return try await write(add) }
        guard try await read({ try AccountTable(db: $0).isEnabled(device.account) }) else { return false }
        work.add(SQLiteWrite { if try !add($0) { throw DataHaveChanged() } })
        return true
    }

    public func updateFailures<Result: Sendable>(
        of key: DeviceKey,
        _ change: @Sendable (inout Int) -> Result
    ) async throws -> Result? {
        try await write { db in
            let table = DeviceTable(db: db)
            guard let device = try table.select(key) else { return nil }
            var failures = device.failures
            let result = change(&failures)
            if failures != device.failures { try table.update(key, failures: failures) }
            return result
        }
    }

    public func resetFailures(of key: DeviceKey) async throws {
        guard let work = unitOfWork else {
            _ = try await updateFailures(of: key) { $0 = 0 }
            return
        }
        work.add(SQLiteWrite { try DeviceTable(db: $0).update(key, failures: 0) })
    }
}

/// The SQL of the table `device`.
struct DeviceTable {
    let db: Database

    /// The maximum number of expired devices to delete in one write, so that no write takes long.
    private static let expiredAtOnce = 100

    func select(_ key: DeviceKey) throws -> Device? {
        let statement = try db.cachedStatement(
            sql: "SELECT CAST(account_id AS BLOB), failures, expires FROM device WHERE key = ?"
        )
        return try Row.fetchOne(statement, arguments: [Data(key.bytes)]).map { row in
            Device(
                key: key,
                account: AccountID(try row.text(0)),
                failures: FailureCount.stored(try row.number(1)),
                expires: Timestamp(milliseconds: try row.number(2))
            )
        }
    }

    /// The devices of an account. Those that expire first are first.
    func select(of account: AccountID) throws -> [Device] {
        let statement = try db.cachedStatement(
            sql: "SELECT key, failures, expires FROM device WHERE account_id = CAST(? AS TEXT) ORDER BY expires"
        )
        return try Row.fetchAll(statement, arguments: [account.text.bound]).map { row in
            Device(
                key: DeviceKey(bytes: Array(try row.bytes(0))),
                account: account,
                failures: FailureCount.stored(try row.number(1)),
                expires: Timestamp(milliseconds: try row.number(2))
            )
        }
    }

    func insert(_ device: Device) throws {
        let statement = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO device (key, account_id, failures, expires) VALUES (?, CAST(? AS TEXT), ?, ?)"
        )
        try statement.execute(arguments: [
            Data(device.key.bytes), device.account.text.bound, device.failures, device.expires.milliseconds,
        ])
    }

    func update(_ key: DeviceKey, failures: Int) throws {
        let statement = try db.cachedStatement(sql: "UPDATE device SET failures = ? WHERE key = ?")
        try statement.execute(arguments: [failures, Data(key.bytes)])
    }

    func delete(_ key: DeviceKey) throws {
        try db.execute(sql: "DELETE FROM device WHERE key = ?", arguments: [Data(key.bytes)])
    }

    /// Deletes all devices of an account.
    func delete(of account: AccountID) throws {
        try db.execute(sql: "DELETE FROM device WHERE account_id = CAST(? AS TEXT)", arguments: [account.text.bound])
    }

    /// Deletes those other devices of the same account that expire first, so that at most `limit` remain.
    func deleteOthers(than device: Device, limit: Int) throws {
        let statement = try db.cachedStatement(
            sql: """
                DELETE FROM device WHERE key IN (
                    SELECT key FROM device WHERE account_id = CAST(? AS TEXT) AND key <> ?
                    ORDER BY expires DESC LIMIT -1 OFFSET ?
                )
                """
        )
        try statement.execute(arguments: [device.account.text.bound, Data(device.key.bytes), max(0, limit - 1)])
    }

    /// Deletes some of the expired devices.
    func deleteExpired(at now: Timestamp) throws {
        let statement = try db.cachedStatement(
            sql: "DELETE FROM device WHERE key IN (SELECT key FROM device WHERE expires <= ? ORDER BY expires LIMIT ?)"
        )
        try statement.execute(arguments: [now.milliseconds, Self.expiredAtOnce])
    }
}
