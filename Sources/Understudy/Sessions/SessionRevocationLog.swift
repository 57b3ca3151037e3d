import Synchronization

/// When the sessions of a user were ended, counted rather than timed.
///
/// A login that began before its user's sessions were ended must not outlive them, although the user is logged in to no
/// session yet when they are ended.
final class SessionRevocationLog: Sendable {
    private struct State {
        var numbers: [String: UInt64] = [:]
        /// Endings up to this number may have been forgotten.
        var forgotten: UInt64 = 0
    }

    private let state = Mutex(State())
    // Asked for at every event.
    private let lastNumber = Atomic<UInt64>(0)
    private let maximum: Int

    /// - Parameter maximum: for how many users to remember an ending.
    init(maximum: Int = 10_000) {
        self.maximum = maximum
    }

    /// The number of the last ending.
    var last: UInt64 { lastNumber.load(ordering: .acquiring) }

    /// Notes that the sessions of a user are ended.
    func add(_ user: String) {
        state.withLock { state in
            let number = lastNumber.add(1, ordering: .acquiringAndReleasing).newValue
            if state.numbers.count >= maximum {
                state.forgotten = number - UInt64(maximum / 2)
                state.numbers = state.numbers.filter { $0.value > state.forgotten }
            }
            state.numbers[user] = number
        }
    }

    /// Whether the sessions of a user have been ended since the ending of that number, or may have been.
    func hasEnded(_ user: String, since number: UInt64) -> Bool {
        state.withLock { state in
            number < state.forgotten || (state.numbers[user] ?? 0) > number
        }
    }
}
