internal import Synchronization

/// A throttle store in memory, for tests and demonstrations. Its counts end with the store. It is never unavailable.
public final class MemoryThrottleStore: ThrottleStore {
    private let counts = Mutex<[ThrottleKey: FailureCount]>([:])

    /// An empty store.
    public init() {}

    /// Removes all counts.
    package func removeAll() {
        counts.withLock { $0 = [:] }
    }

    public func update<Result: Sendable>(
        _ key: ThrottleKey,
        _ change: @escaping @Sendable (inout FailureCount) -> Result
    ) async throws -> Result {
        counts.withLock { counts in
            var count = counts[key] ?? FailureCount()
            let result = change(&count)
            counts[key] = count == FailureCount() ? nil : count
            return result
        }
    }
}
