import Accounts
import BusinessLogic
import HTTPMessages
import ServiceLifecycle
import Synchronization
import Understudy

/// Ends the sessions of an account that another process, such as `account disable`, has disabled, deleted or given a new
/// password. They are in the memory of this process: in a database, they end with the change itself.
final class SessionRevocations: Service {
    /// Returns the revocations in the store after the one with that number.
    private let read: @Sendable (_ last: Int) async throws -> [SessionRevocation]
    private let last: LastRevocation
    /// How many writes have ended in the store, if no other process writes; `nil` if one may.
    private let writes: @Sendable () -> Int?
    /// How many had ended before the last read.
    private let readWrites = Atomic(-1)
    private let lock = AsyncLock()
    /// The number of reads of the store that have begun.
    private let reads = Atomic(0)
    /// Why the store was not available for the last read; `nil` if it was.
    private let outage = Mutex<CollaboratorError?>(nil)
    private let service = Mutex<UnderstudyService?>(nil)

    init(
        last: LastRevocation,
        writes: @escaping @Sendable () -> Int? = { nil },
        read: @escaping @Sendable (_ last: Int) async throws -> [SessionRevocation]
    ) {
        self.read = read
        self.last = last
        self.writes = writes
    }

    /// Ends the sessions of this service. Call it once, when the service has been created.
    func connect(to service: UnderstudyService) { self.service.withLock { $0 = service } }

    func run() async throws {
        guard let service = service.withLock(\.self) else { return }
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .milliseconds(100))
                do {
                    // A reset starts the numbers again.
                    try await service.betweenResets { try await self.follow() }
                } catch is CollaboratorError {
                    try await Task.sleep(for: .milliseconds(500))
                }
            }
        }
    }

    /// Ends the sessions that were revoked since the last call. Another call at the same time waits, so that no session ends that
    /// started after a call has returned, unless it is revoked later. All calls that wait share one read, also if that fails: so each takes as long as
    /// two reads at most.
    func follow() async throws {
        guard let service = service.withLock(\.self) else { return }
        let writes = writes()
        // Nothing has changed since the last read.
        if let writes, writes == readWrites.load(ordering: .acquiring) { return }
        let before = reads.load(ordering: .sequentiallyConsistent)
        // The wait for others counts as well, so that the event's calls of the store wait for the rest only.
        let trace = RequestTrace.current
        trace?.waitsSince = trace?.waitsSince ?? .now
        try await lock.acquire()
        defer { lock.release() }
        if reads.load(ordering: .sequentiallyConsistent) == before {
            reads.add(1, ordering: .sequentiallyConsistent)
            outage.withLock { $0 = nil }
            do {
                for revocation in try await read(last.number) {
                    try await service.endSessions(ofUser: revocation.account.text)
                    last.number = revocation.number
                }
            } catch {
                outage.withLock { $0 = error as? CollaboratorError }
                throw error
            }
            readWrites.store(writes ?? -1, ordering: .releasing)
        } else if let outage = outage.withLock(\.self) {
            throw outage
        }
        trace?.waitsSince = nil
    }
}

/// The number of the last revocation that has ended sessions of this process.
final class LastRevocation: Sendable {
    private let value = Atomic(0)

    var number: Int {
        get { value.load(ordering: .sequentiallyConsistent) }
        set { value.store(newValue, ordering: .sequentiallyConsistent) }
    }
}

/// The sessions in the memory of this process.
struct MemorySessions: SessionDirectory {
    let service: UnderstudyService
    let revocations: SessionRevocations

    func sessions(_ filter: SessionFilter, after last: Int, limit: Int) async throws -> [ListedSession] {
        service.sessionsInMemory(after: last, limit: limit, where: filter.selects)
    }

    func content(of id: [UInt8]) async throws -> StoredSession? { try await service.sessionInMemory(id) }

    func end(_ id: [UInt8]) { _ = service.endSessionInMemory(id) }

    func followRevocations() async throws { try await revocations.follow() }
}
