import SessionStorage
import Understudy

/// The sessions in the memory of this process.
struct MemorySessions: SessionDirectory {
    let service: UnderstudyService
    let revocations: SessionRevocations

    func sessions(_ filter: SessionFilter, after last: Int, limit: Int) async throws -> [ListedSession] {
        service.sessionsInMemory(after: last, limit: limit, where: filter.selects)
    }

    func content(of id: [UInt8]) async throws -> SharedSession? {
        try await service.sessionInMemory(id).map { SharedSession(session: $0, version: 0, events: []) }
    }

    func end(_ id: [UInt8]) { _ = service.endSessionInMemory(id) }

    func followRevocations() async throws { try await revocations.follow() }
}
