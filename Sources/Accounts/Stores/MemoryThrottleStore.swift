internal import Synchronization

/// A throttle store in memory, for tests and demonstrations. Its counts end with the store. It is never unavailable.
public final class MemoryThrottleStore: ThrottleStore {
    private let counts = Mutex<[ThrottleKey: FailureCount]>([:])

    /// An empty store.
    public init() {}

    /// A function that makes the store contain what it contains now.
    package func saved() -> @Sendable () -> Void {
        let saved = counts.withLock { $0 }
        return { [self] in counts.withLock { $0 = saved } }
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
