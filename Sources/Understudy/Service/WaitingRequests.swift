import Addresses
import BusinessLogic
import Synchronization
import UnderstudyPages
import UnderstudySessions

struct WatchedSession: Sendable {
    let session: Session
    let id: [UInt8]
    let version: Int
}

/// The requests that wait for new commands of their sessions: streams, and requests with `wait`.
final class WaitingRequests: Sendable {
    private struct State {
        var waiting: [ObjectIdentifier: (waiter: Waiter, session: WatchedSession?)] = [:]
        var counts: [IPAddress: Int] = [:]
    }

    private let state = Mutex(State())

    /// The maximum number of waiting requests from one address, or from an IPv6 network of 64 bits: that of connections by default.
    static let maximumPerAddress = 100

    var count: Int { state.withLock { $0.waiting.count } }

    /// The address is `nil` if it is not limited.
    func add(_ waiter: Waiter, from address: IPAddress?) throws(Problem) {
        let isAdded = state.withLock { state in
            if let address {
                guard state.counts[address, default: 0] < Self.maximumPerAddress else { return false }
                state.counts[address, default: 0] += 1
            }
            state.waiting[ObjectIdentifier(waiter)] = (waiter, nil)
            return true
        }
        guard isAdded else {
            throw Problem(
                .tooManyRequests,
                "At most \(Self.maximumPerAddress) requests from one address may wait at the same time.",
                retryAfter: .seconds(1)
            )
        }
    }

    func remove(_ waiter: Waiter, from address: IPAddress?) {
        state.withLock { state in
            state.waiting[ObjectIdentifier(waiter)] = nil
            guard let address, let count = state.counts[address] else { return }
            state.counts[address] = count > 1 ? count - 1 : nil
        }
    }

    func watch(_ session: WatchedSession, _ waiter: Waiter) {
        state.withLock { $0.waiting[ObjectIdentifier(waiter)]?.session = session }
    }

    var sessions: [[UInt8]: WatchedSession] {
        let sessions = state.withLock { $0.waiting.values.compactMap(\.session) }
        return Dictionary(sessions.map { ($0.id, $0) }) { $0.version > $1.version ? $0 : $1 }
    }

    func wakeAll() {
        for waiter in state.withLock({ $0.waiting.values.map(\.waiter) }) { waiter.wake() }
    }
}

/// Wakes requests at a time.
///
/// The times are rounded up to 50 milliseconds, so that the timers of thousands of requests need one task, which exists only while there are
/// timers.
final class WakeTimers: Sendable {
    private struct State {
        /// The requests to wake, by the number of their interval.
        var intervals: [Int64: [ObjectIdentifier: Waiter]] = [:]
        /// The task sleeps until then; `nil` if there is no task.
        var next: Int64?
        /// Distinguishes the current task from earlier ones.
        var task = 0
    }

    private let start = ContinuousClock.now
    private let state = Mutex(State())

    private static let interval: Duration = .milliseconds(50)
    /// The maximum duration. Then the request looks again, because a clock may have been set.
    private static let longest: Duration = .seconds(60)

    /// The request wakes after a minute at the latest.
    func wake(_ waiter: Waiter, after duration: Duration) {
        let time = ContinuousClock.now - start + min(max(duration, .zero), Self.longest)
        let number = Int64(time / Self.interval) + 1
        let task = state.withLock { state -> Int? in
            state.intervals[number, default: [:]][ObjectIdentifier(waiter)] = waiter
            guard state.next.map({ number < $0 }) ?? true else { return nil }
            state.next = number
            state.task += 1
            return state.task
        }
        if let task { Task { await run(task) } }
    }

    /// Ends when there are no timers, or another task runs.
    private func run(_ task: Int) async {
        while let next = state.withLock({ $0.task == task ? $0.next : nil }) {
            try? await Task.sleep(until: start + Self.interval * Int(next))
            let due = state.withLock { state -> [Waiter] in
                guard state.task == task else { return [] }
                let due = state.intervals.keys.filter { $0 <= next }
                let waiters = due.flatMap { state.intervals.removeValue(forKey: $0).map { Array($0.values) } ?? [] }
                state.next = state.intervals.keys.min()
                return waiters
            }
            for waiter in due { waiter.wake() }
        }
    }
}
