public import Accounts
public import BusinessLogic

extension PostgreSQLDatabase: DeviceStore {
    public func device(_ key: DeviceKey) async throws -> Device? {
        try await read(DeviceTable.select(key), DeviceTable.devices).first
    }

    public func addDevice(
        _ device: Device,
        replacing replaced: DeviceKey?,
        limit: Int,
        at now: Timestamp
    ) async throws -> Bool {
        try await write { transaction in
            // Other transactions that add devices of the account or revoke its sessions wait.
            let found = try AccountTable.accounts(try await transaction.execute(AccountTable.lock(device.account)))
            guard let account = found.first, !account.isDisabled else { return false }
            let deletion = replaced.map { [DeviceTable.delete($0)] } ?? []
            try await transaction.batch(deletion + DeviceTable.insert(device, limit: limit, at: now))
            return true
        }
    }

    public func updateFailures<Result: Sendable>(
        of key: DeviceKey,
        _ change: @Sendable (inout Int) -> Result
    ) async throws -> Result? {
        try await write(repeatingConflicts: false) { transaction in
            let found = try await transaction.execute(DeviceTable.lockFailures(of: key))
            guard let before = try found.first?.number(0) else { return nil }
            var failures = before
            let result = change(&failures)
            if failures != before { try await transaction.execute(DeviceTable.update(key, failures: failures)) }
            return result
        }
    }
}
