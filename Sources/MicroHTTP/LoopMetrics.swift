internal import Synchronization

/// The metrics of an event loop. The loop writes them, and any thread may read them.
final class LoopMetrics: Sendable {
    private let connections = Atomic<Int>(0)
    private let accepted = Atomic<Int>(0)
    private let longestIteration = Atomic<UInt64>(0)

    /// Records an iteration that took the given number of milliseconds.
    func record(iteration: UInt64, connections count: Int) {
        connections.store(count, ordering: .relaxed)
        if iteration > longestIteration.load(ordering: .relaxed) {
            longestIteration.store(iteration, ordering: .relaxed)
        }
    }

    /// Counts an accepted connection.
    func countAccepted() {
        accepted.add(1, ordering: .relaxed)
    }

    /// Adds the metrics to those of a server, and restarts the measurement of the longest iteration.
    func add(to statistics: inout ServerStatistics) {
        statistics.connections += connections.load(ordering: .relaxed)
        statistics.accepted += accepted.load(ordering: .relaxed)
        statistics.longestIterations.append(.milliseconds(longestIteration.exchange(0, ordering: .relaxed)))
    }
}

/// The metrics of a server.
public struct ServerStatistics: Equatable, Sendable {
    /// The number of open connections.
    public internal(set) var connections = 0
    /// The number of connections that the server has accepted since its start.
    public internal(set) var accepted = 0
    /// For each event loop, its longest iteration since the previous read of ``Server/statistics``: how long a request may have waited for
    /// the event loop. Accurate to four milliseconds.
    public internal(set) var longestIterations: [Duration] = []
}
