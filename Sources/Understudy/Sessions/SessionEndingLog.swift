import Synchronization

/// When the sessions of a user were ended, counted rather than timed.
///
/// A login that began before its user's sessions were ended must not outlive them, although the user is logged in to no
/// session yet when they are ended.
final class SessionEndingLog: Sendable {
    private struct State {
        var last: UInt64 = 0
        var numbers: [String: UInt64] = [:]
        /// Endings up to this number may have been forgotten.
        var forgotten: UInt64 = 0
    }

    private let state = Mutex(State())
    private let maximum: Int

    /// - Parameter maximum: for how many users to remember an ending.
    init(maximum: Int = 10_000) {
        self.maximum = maximum
    }

    /// The number of the last ending.
    var last: UInt64 { state.withLock(\.last) }

    /// Notes that the sessions of a user are ended.
    func add(_ user: String) {
        state.withLock { state in
            state.last += 1
            if state.numbers.count >= maximum {
                state.forgotten = state.last - UInt64(maximum / 2)
                state.numbers = state.numbers.filter { $0.value > state.forgotten }
            }
            state.numbers[user] = state.last
        }
    }

    /// Whether the sessions of a user have been ended since the ending of that number, or may have been.
    func hasEnded(_ user: String, since number: UInt64) -> Bool {
        state.withLock { state in
            number < state.forgotten || (state.numbers[user] ?? 0) > number
        }
    }
}
