import Synchronization
import UnderstudySessions

/// Wakes requests at a time.
///
/// The times are rounded up to 50 milliseconds, so that the timers of thousands of requests need one task, which exists only while there are
/// timers.
final class WakeTimers: Sendable {
    private struct State {
        /// The requests to wake, by the number of their interval.
        var intervals: [Int64: [ObjectIdentifier: Waiter]] = [:]
        /// The interval until which the task sleeps; `nil` if there is no task.
        var next: Int64?
        /// Distinguishes the current task from earlier ones.
        var task = 0
    }

    private let start = ContinuousClock.now
    private let state = Mutex(State())

    private static let interval: Duration = .milliseconds(50)
    /// The maximum duration. Then the request looks again, because a clock may have been set.
    private static let longest: Duration = .seconds(60)

    /// Wakes a request after a duration; after a minute at the latest.
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

    /// Wakes requests until there are no timers, or another task does.
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
