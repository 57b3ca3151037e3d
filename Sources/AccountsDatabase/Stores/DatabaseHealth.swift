package import Accounts
import BusinessLogic
import Synchronization

/// Whether a database works: what its last operations were.
///
/// The database is available unless ``limit`` operations of one kind have failed in a row. Each kind counts separately, because a database
/// that is read-only and a full disk fail only writes, and a revoked right or a damaged page only a part. A further kind is the probe, which
/// writes and reads a little every few seconds, also without traffic. A kind that fails counts until one of its operations succeeds, or until
/// the probe succeeds while there was no operation that failed for ``interval``.
package final class DatabaseHealth: Sendable {
    /// What operations have in common that fail together.
    package enum Operation: Hashable, Sendable {
        case read(DatabasePart)
        case write(DatabasePart)
        case probe

        /// The part of the database; for a probe, which concerns all of them, `accounts`.
        package var part: DatabasePart {
            switch self {
            case .read(let part), .write(let part): part
            case .probe: .accounts
            }
        }
    }

    /// That many failures in a row make a database unavailable: one connection that is lost or rejected does not.
    package static let limit = 3
    /// The time between two probes. After a failure, it is ``retryInterval``.
    static let interval: Duration = .seconds(5)
    static let retryInterval: Duration = .seconds(1)

    private struct Failures {
        var count = 0
        var last: ContinuousClock.Instant
    }

    private struct State {
        /// The failures of each kind since its last success.
        var failures: [Operation: Failures] = [:]
        var watch: Task<Void, Never>?

        var isAvailable: Bool { failures.values.allSatisfy { $0.count < DatabaseHealth.limit } }
    }

    private let state = Mutex(State())

    package init() {}

    deinit {
        stop()
    }

    /// Whether the database can be used, as far as its operations and the probe have shown. Does not wait.
    package var isAvailable: Bool { state.withLock { $0.isAvailable } }

    package func succeed(_ operation: Operation) {
        state.withLock { state in
            if !state.failures.isEmpty { state.failures[operation] = nil }
        }
    }

    /// Records that an operation has failed because of the database. Returns whether the database was available until now, and is not any more.
    @discardableResult
    package func fail(_ operation: Operation, at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            let wasAvailable = state.isAvailable
            let count = state.failures[operation]?.count ?? 0
            state.failures[operation] = Failures(count: min(count + 1, Self.limit), last: now)
            return wasAvailable && !state.isAvailable
        }
    }

    package func succeedProbe(at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.failures[.probe] = nil
            // While operations fail, they prove more than the probe does.
            state.failures = state.failures.filter { now - $0.value.last < Self.interval }
        }
    }

    /// Whether an operation of any kind has failed, and none of its kind has succeeded since.
    package var hasFailures: Bool { state.withLock { !$0.failures.isEmpty } }

    /// Probes a database from now on, in a task of its own, until the database is released or ``stop()`` is called. Does nothing if it does so
    /// already.
    func watch(_ database: some SQLDatabase) {
        state.withLock { state in
            guard state.watch == nil else { return }
            state.watch = Task { [weak self, weak database] in
                while let isFailing = self?.hasFailures {
                    let pause = isFailing ? Self.retryInterval : Self.interval
                    guard (try? await Task.sleep(for: pause)) != nil, let database else { return }
                    await database.checkHealth()
                }
            }
        }
    }

    package func stop() { state.withLock { $0.watch?.cancel() } }
}

extension SQLDatabase {
    /// Whether the database can be used. Does not wait. From the first call on, a probe asks the database every few seconds.
    var isAvailable: Bool {
        health.watch(self)
        return health.isAvailable
    }

    /// Probes the database, and records the result.
    package func checkHealth() async {
        do {
            // After a failure, it writes more than what a full disk still accepts.
            try await probe(size: health.hasFailures ? 1 << 16 : 0)
            health.succeedProbe()
        } catch is CancellationError {
            // The database is closed.
        } catch {
            // Too many calls that wait are no fault of the database.
            if case .overloaded = Self.collaboratorError(for: error, .accounts) { return }
            // Once, because without traffic no other line says why the database is not available.
            if health.fail(.probe) { report(error) }
        }
    }

    /// Writes and deletes a row with `size` bytes, and fails if other tables cannot be used. Throws the database's own errors, which it does
    /// not report, and ``MissingRight``.
    package func probe(size: Int) async throws {
        try await withTransaction(deadline: nil, key: nil, mode: .once) {
            try HealthTable.requireRights(try $0.batch(HealthTable.probe(size: size))[1].first)
        }
    }
}
