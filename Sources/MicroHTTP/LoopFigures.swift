internal import Synchronization

/// What an event loop tells others of itself. Written by the loop, read by anybody.
final class LoopFigures: Sendable {
    private let connections = Atomic<Int>(0)
    private let accepted = Atomic<Int>(0)
    private let longestTurn = Atomic<UInt64>(0)

    /// A turn of so many milliseconds has ended.
    func note(turn: UInt64, connections count: Int) {
        connections.store(count, ordering: .relaxed)
        if turn > longestTurn.load(ordering: .relaxed) { longestTurn.store(turn, ordering: .relaxed) }
    }

    /// A connection has been accepted.
    func noteAccepted() {
        accepted.add(1, ordering: .relaxed)
    }

    /// Adds the figures, the longest turn being the one since they were last asked for.
    func add(to statistics: inout ServerStatistics) {
        statistics.connections += connections.load(ordering: .relaxed)
        statistics.accepted += accepted.load(ordering: .relaxed)
        statistics.longestTurns.append(.milliseconds(longestTurn.exchange(0, ordering: .relaxed)))
    }
}

/// How a server is doing.
public struct ServerStatistics: Equatable, Sendable {
    /// How many connections there are.
    public internal(set) var connections = 0
    /// How many have been accepted since the start.
    public internal(set) var accepted = 0
    /// For each event loop, how long its longest turn took since this was last asked for: whoever had something for it
    /// waited that long. To four milliseconds.
    public internal(set) var longestTurns: [Duration] = []
}
