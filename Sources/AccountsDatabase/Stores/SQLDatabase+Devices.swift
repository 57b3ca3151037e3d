package import Accounts
package import BusinessLogic
internal import SessionStorage
internal import SQLStatements

/// The store of devices.
extension SQLDatabase {
    public func device(_ key: DeviceKey) async throws -> Device? {
        try await read(DeviceTable.select(key)) { try $0.first.map(DeviceTable.device) }
    }

    public func removeDevice(_ key: DeviceKey) async throws {
        let deletion = SQLTransaction<Rows, Void>.execute([DeviceTable.delete(key)])
        guard let work = unitOfWork else { return try await write(deletion) }
        work.add(deletion)
    }

    public func addDevice(
        _ device: Device,
        replacing replaced: DeviceKey?,
        limit: Int,
        at now: Timestamp
    ) async throws -> Bool {
        let deletion = replaced.map { [DeviceTable.delete($0)] } ?? []
        let changes = deletion + DeviceTable.insert(device, limit: limit, at: now)
        // Other transactions that add devices of the account or revoke its sessions wait.
        let addition: SQLTransaction<Rows, Bool> = .batch([AccountTable.lock(device.account)]) { results in
            let account = try results[0].first.map(AccountTable.account)
            guard let account, !account.isDisabled else { return .finished(false) }
            return .batch(changes) { _ in .finished(true) }
        }
        guard let work = unitOfWork else { return try await write(addition) }
        guard let account = try await account(device.account), !account.isDisabled else { return false }
        work.add(addition.requiringData())
        return true
    }

    public func updateFailures<Result: Sendable>(
        of key: DeviceKey,
        _ change: @escaping @Sendable (inout Int) -> Result
    ) async throws -> Result? {
        try await write(
            isRepeatable: false,
            .batch([DeviceTable.lock(key)]) { results in
                guard let device = try results[0].first.map(DeviceTable.device) else { return .finished(nil) }
                var failures = device.failures
                let result = change(&failures)
                guard failures != device.failures else { return .finished(result) }
                return .batch([DeviceTable.update(key, failures: failures)]) { _ in .finished(result) }
            }
        )
    }

    public func resetFailures(of key: DeviceKey) async throws {
        guard let work = unitOfWork else {
            _ = try await updateFailures(of: key) { $0 = 0 }
            return
        }
        work.add(SQLTransaction<Rows, Void>.execute([DeviceTable.update(key, failures: 0)]))
    }
}
