import Synchronization

/// The revocations: each ends all sessions of a user. They are numbered, not timed.
///
/// A login that began before a revocation must not outlive it, although the revocation finds no session of the user yet.
final class RevocationLog: Sendable {
    private struct State {
        var numbers: [String: Int] = [:]
        /// Revocations up to this number may have been discarded.
        var discarded: Int = 0
    }

    private let state = Mutex(State())
    // Every event reads it.
    private let lastNumber = Atomic<Int>(0)
    private let maximum: Int

    /// Stores the last revocations of at most `maximum` users.
    init(maximum: Int = 10_000) {
        self.maximum = maximum
    }

    var last: Int { lastNumber.load(ordering: .acquiring) }

    func add(_ user: String) {
        state.withLock { state in
            let number = lastNumber.add(1, ordering: .acquiringAndReleasing).newValue
            if state.numbers.count >= maximum {
                state.discarded = number - maximum / 2
                state.numbers = state.numbers.filter { $0.value > state.discarded }
            }
            state.numbers[user] = number
        }
    }

    /// Whether a revocation after the one with that number ended the user's sessions; `true` as well if the log may have
    /// discarded it.
    func hasEnded(_ user: String, since number: Int) -> Bool {
        state.withLock { state in
            number < state.discarded || (state.numbers[user] ?? 0) > number
        }
    }
}
