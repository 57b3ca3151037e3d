package import Accounts
package import BusinessLogic
import SessionStorage

/// The store of devices.
extension SQLDatabase {
    public func device(_ key: DeviceKey) async throws -> Device? {
        try await read(DeviceTable.select(key)) { try $0.first.map(DeviceTable.device) }
    }

    public func removeDevice(_ key: DeviceKey) async throws { try await writeAtCommit([DeviceTable.delete(key)]) }

    public func addDevice(
        _ device: Device,
        replacing replaced: DeviceKey?,
        limit: Int,
        at now: Timestamp
    ) async throws -> Bool {
        let deletion = replaced.map { [DeviceTable.delete($0)] } ?? []
        let changes = deletion + DeviceTable.insert(device, limit: limit, at: now)
        // Other transactions that add devices of the account or revoke its sessions wait.
        let add: @Sendable (any SQLConnection) throws -> Bool = { db in
            let account = try db.execute(AccountTable.lock(device.account)).first.map(AccountTable.account)
            guard let account, !account.isDisabled else { return false }
            try db.batch(changes)
            return true
        }
        guard let work = unitOfWork else { return try await write(add) }
        guard let account = try await account(device.account), !account.isDisabled else { return false }
        work.add { guard try add($0) else { throw DataHaveChanged() } }
        return true
    }

    public func updateFailures<Result: Sendable>(
        of key: DeviceKey,
        _ change: @escaping @Sendable (inout Int) -> Result
    ) async throws -> Result? {
        try await write(mode: .once) { db in
            guard let device = try db.execute(DeviceTable.lock(key)).first.map(DeviceTable.device) else { return nil }
            var failures = device.failures
            let result = change(&failures)
            if failures != device.failures { try db.execute(DeviceTable.update(key, failures)) }
            return result
        }
    }

    public func resetFailures(of key: DeviceKey) async throws { try await writeAtCommit([DeviceTable.update(key, 0)]) }
}

/// The store of failed logins.
extension SQLDatabase {
    /// Changes the count of a key atomically, and writes only if the count has changed. Other changes of the same key, by any process, wait
    /// until the change is committed.
    public func update<Result: Sendable>(
        _ key: ThrottleKey,
        _ change: @escaping @Sendable (inout FailureCount) -> Result
    ) async throws -> Result {
        try await write(key: key.text, mode: .once) { db in
            let before = try ThrottleTable.count(db.batch(ThrottleTable.lock(key)).last?.first)
            var count = before
            let result = change(&count)
            if count != before {
                try db.execute(ThrottleTable.upsert(key, count.failures, count.lastFailure, count.refused))
            }
            return result
        }
    }

    public func reset(_ key: ThrottleKey) async throws { try await writeAtCommit([ThrottleTable.delete(key)]) }
}
