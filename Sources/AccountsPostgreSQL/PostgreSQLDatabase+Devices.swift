public import Accounts
internal import AccountsDatabase
public import BusinessLogic
internal import PostgreSQL
internal import SessionStorage

extension PostgreSQLDatabase: DeviceStore {
    public func device(_ key: DeviceKey) async throws -> Device? {
        try await read(DeviceTable.select(key)) { try $0.first.map(DeviceTable.device) }
    }

    public func addDevice(
        _ device: Device,
        replacing replaced: DeviceKey?,
        limit: Int,
        at now: Timestamp
    ) async throws -> Bool {
        let deletion = replaced.map { [DeviceTable.delete($0)] } ?? []
        let changes = deletion + DeviceTable.insert(device, limit: limit, at: now)
        guard let work = unitOfWork else {
            return try await write { try await Self.run(changes, ofDeviceOf: device.account, in: $0) }
        }
        guard let account = try await account(device.account), !account.isDisabled else { return false }
        work.add(
            PostgreSQLWrite { transaction in
                guard try await Self.run(changes, ofDeviceOf: device.account, in: transaction) else {
                    throw DataHaveChanged()
                }
            }
        )
        return true
    }

    /// - Returns: `false`, without a change, if the account does not exist or is disabled.
    private static func run(
        _ changes: [SQLStep],
        ofDeviceOf id: AccountID,
        in transaction: WriteTransaction
    ) async throws -> Bool {
        // Other transactions that add devices of the account or revoke its sessions wait.
        let found = try await transaction.execute(AccountTable.lock(id)).first
        guard let account = try found.map(AccountTable.account), !account.isDisabled else { return false }
        try await transaction.batch(changes)
        return true
    }

    public func updateFailures<Result: Sendable>(
        of key: DeviceKey,
        _ change: @Sendable (inout Int) -> Result
    ) async throws -> Result? {
        try await write(repeatingConflicts: false) { transaction in
            let found = try await transaction.execute(DeviceTable.lock(key)).first
            guard let device = try found.map(DeviceTable.device) else { return nil }
            var failures = device.failures
            let result = change(&failures)
            if failures != device.failures {
                try await transaction.execute(DeviceTable.update(key, failures: failures))
            }
            return result
        }
    }

    public func resetFailures(of key: DeviceKey) async throws {
        guard let work = unitOfWork else {
            _ = try await updateFailures(of: key) { $0 = 0 }
            return
        }
        work.add(PostgreSQLWrite { try await $0.execute(DeviceTable.update(key, failures: 0)) })
    }
}
