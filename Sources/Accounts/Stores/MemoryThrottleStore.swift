internal import Synchronization

/// Keeps count of failed logins in the memory of the process: for tests and demonstrations. Nothing outlives the process.
///
/// Safe to use from any number of tasks at once. It is never unavailable.
public final class MemoryThrottleStore: ThrottleStore {
    private let counts = Mutex<[ThrottleKey: FailureCount]>([:])

    /// A store without failures.
    public init() {}

    public func update<Result: Sendable>(
        _ key: ThrottleKey,
        _ change: @Sendable (inout FailureCount) -> Result
    ) async throws -> Result {
        counts.withLock { counts in
            var count = counts[key] ?? FailureCount()
            let result = change(&count)
            counts[key] = count == FailureCount() ? nil : count
            return result
        }
    }
}
