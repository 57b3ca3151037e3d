internal import Synchronization

/// The figures of an event loop: written by the loop, read by any thread.
final class LoopFigures: Sendable {
    private let connections = Atomic<Int>(0)
    private let accepted = Atomic<Int>(0)
    private let longestTurn = Atomic<UInt64>(0)

    /// Records the end of a turn, which took the given number of milliseconds.
    func note(turn: UInt64, connections count: Int) {
        connections.store(count, ordering: .relaxed)
        if turn > longestTurn.load(ordering: .relaxed) { longestTurn.store(turn, ordering: .relaxed) }
    }

    /// Counts an accepted connection.
    func noteAccepted() {
        accepted.add(1, ordering: .relaxed)
    }

    /// Adds the figures to a server's. The longest turn is measured from the previous call.
    func add(to statistics: inout ServerStatistics) {
        statistics.connections += connections.load(ordering: .relaxed)
        statistics.accepted += accepted.load(ordering: .relaxed)
        statistics.longestTurns.append(.milliseconds(longestTurn.exchange(0, ordering: .relaxed)))
    }
}

/// The figures of a server.
public struct ServerStatistics: Equatable, Sendable {
    /// The number of open connections.
    public internal(set) var connections = 0
    /// The number of connections accepted since the start.
    public internal(set) var accepted = 0
    /// For each event loop, its longest turn since the previous call: how long a request may have waited for the loop. Accurate to
    /// four milliseconds.
    public internal(set) var longestTurns: [Duration] = []
}
