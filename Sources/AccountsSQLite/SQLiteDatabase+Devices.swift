public import Accounts
internal import AccountsDatabase
public import BusinessLogic
internal import GRDB
internal import SessionStorage

extension SQLiteDatabase: DeviceStore {
    public func device(_ key: DeviceKey) async throws -> Device? {
        try await read { try $0.run(DeviceTable.select(key)).first.map(DeviceTable.device) }
    }

    public func addDevice(
        _ device: Device,
        replacing replaced: DeviceKey?,
        limit: Int,
        at now: Timestamp
    ) async throws -> Bool {
        let deletion = replaced.map { [DeviceTable.delete($0)] } ?? []
        let changes = deletion + DeviceTable.insert(device, limit: limit, at: now)
        let add = { @Sendable (db: Database) in
            guard try db.isEnabled(device.account) else { return false }
            try db.run(changes)
            return true
        }
        guard let work = unitOfWork else { return try await write(add) }
        guard try await read({ try $0.isEnabled(device.account) }) else { return false }
        work.add(SQLiteWrite { if try !add($0) { throw DataHaveChanged() } })
        return true
    }

    public func updateFailures<Result: Sendable>(
        of key: DeviceKey,
        _ change: @Sendable (inout Int) -> Result
    ) async throws -> Result? {
        try await write { db in
            guard let device = try db.run(DeviceTable.select(key)).first.map(DeviceTable.device) else { return nil }
            var failures = device.failures
            let result = change(&failures)
            if failures != device.failures { try db.run(DeviceTable.update(key, failures: failures)) }
            return result
        }
    }

    public func resetFailures(of key: DeviceKey) async throws {
        guard let work = unitOfWork else {
            _ = try await updateFailures(of: key) { $0 = 0 }
            return
        }
        work.add(SQLiteWrite { try $0.run(DeviceTable.update(key, failures: 0)) })
    }
}
