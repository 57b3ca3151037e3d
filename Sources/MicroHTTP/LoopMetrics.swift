import Synchronization
import Glibc

/// The loop writes them, and any thread may read them.
final class LoopMetrics: Sendable {
    private let connections = Atomic<Int>(0)
    private let accepted = Atomic<Int>(0)
    private let longestIteration = Atomic<UInt64>(0)

    /// The iteration is in milliseconds.
    func record(iteration: UInt64, connections count: Int) {
        connections.store(count, ordering: .relaxed)
        if iteration > longestIteration.load(ordering: .relaxed) {
            longestIteration.store(iteration, ordering: .relaxed)
        }
    }

    func countAccepted() { accepted.add(1, ordering: .relaxed) }

    /// Restarts the measurement of the longest iteration.
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

/// How long a thread could run, but waited because others had the processors. Use it on that thread.
struct RunQueueDelay: ~Copyable {
    private var descriptor: Int32 = -1
    /// The delay since the start of the thread at the last call, in nanoseconds.
    private var last: UInt64 = 0

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Measures the calling thread. If the kernel does not report its delay in the file, that is always 0.
    mutating func begin(_ path: String = "/proc/thread-self/schedstat") {
        // Documentation/scheduler/sched-stats.rst: time on the processor, time on a run queue, and the number of time slices.
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        _ = take()
    }

    /// The delay since the previous call, in milliseconds.
    mutating func take() -> UInt64 {
        guard descriptor >= 0 else { return 0 }
        let text = String(unsafeUninitializedCapacity: 80) { max(0, pread(descriptor, $0.baseAddress, $0.count, 0)) }
        let fields = text.split(separator: " ")
        guard fields.count >= 2, let total = UInt64(fields[1]), total >= last else { return 0 }
        return (total - exchange(&last, with: total)) / 1_000_000
    }
}
