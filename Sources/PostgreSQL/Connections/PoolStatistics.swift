internal import Synchronization

/// The figures of a pool at one moment.
package struct PoolStatistics: Sendable, Equatable {
    /// The connections that execute a call, or that a transaction has reserved.
    package let inUse: Int
    /// The connections that wait for a call.
    package let idle: Int
    /// The calls that wait for a connection.
    package let waiting: Int
    /// The connections that were opened since the start.
    package let opened: Int
    /// Whether the last attempt to connect has succeeded, or there was none.
    package let isAvailable: Bool
}

/// The figures of a pool, which its thread writes and any thread reads.
final class PoolCounters: Sendable {
    let inUse = Atomic(0)
    let idle = Atomic(0)
    let waiting = Atomic(0)
    let opened = Atomic(0)
    let isAvailable = Atomic(true)
    private let calls = Atomic(0)

    /// Returns a number that identifies a call.
    func nextCall() -> Int { calls.wrappingAdd(1, ordering: .relaxed).newValue }

    var statistics: PoolStatistics {
        PoolStatistics(
            inUse: inUse.load(ordering: .relaxed),
            idle: idle.load(ordering: .relaxed),
            waiting: waiting.load(ordering: .relaxed),
            opened: opened.load(ordering: .relaxed),
            isAvailable: isAvailable.load(ordering: .relaxed)
        )
    }
}
