import BusinessLogic
import SessionStorage

/// A store for a test that only saves and restores sessions. Everything else is unavailable.
protocol SavingStore: SessionStore {}

extension SavingStore {
    var addressKey: [UInt8] { Array(repeating: 1, count: 32) }

    var database: ObjectIdentifier? { nil }

    func find(_ id: [UInt8], unlessVersion known: Int) async throws -> SessionLookup { throw unavailable }

    func commit(_ change: SessionChange, with writes: [any StoreWrite]) async throws -> CommitResult {
        throw unavailable
    }

    func touch(_ id: [UInt8], at now: Timestamp) async throws { throw unavailable }
    func end(_ id: [UInt8]) async throws { throw unavailable }
    func endSessions(ofUser user: String) async throws { throw unavailable }
    func removeSessions(_ condition: SessionRemoval) async throws -> RemovedSessions { throw unavailable }

    private var unavailable: CollaboratorError { .unavailable(retryAfter: .seconds(1)) }
}
