import BusinessLogic
import Synchronization

/// The ids that logins have replaced, each for a minute, with the login's response.
///
/// A request with such an id must not start a new session: its cookie would overwrite the one that the login has set. And a
/// client that did not receive the login's response must be able to ask for it again.
final class ReplacedSessions: Sendable {
    private struct Entry {
        let expires: Timestamp
        let response: SealedResponse?
    }

    private struct State {
        var entries: [SessionID: Entry] = [:]
        /// The ids in the order in which they were replaced; those before `first` are gone.
        var order: [SessionID] = []
        var first = 0
        var size = 0
    }

    private let state = Mutex(State())

    /// How long an id is kept.
    static let interval: Duration = .seconds(60)
    private static let maximumCount = 10_000
    /// How many bytes the responses of all of them may take.
    private static let maximumSize = 8 << 20

    /// Notes that an id was replaced.
    ///
    /// - Parameter response: the login's response, if its request had an idempotency key.
    func add(_ id: SessionID, _ response: SealedResponse?, at now: Timestamp) {
        state.withLock { state in
            state.entries[id] = Entry(expires: now + Self.interval, response: response)
            state.order.append(id)
            state.size += response?.size ?? 0
            while let oldest = state.order[state.first...].first, let entry = state.entries[oldest],
                entry.expires <= now || state.entries.count > Self.maximumCount || state.size > Self.maximumSize
            {
                state.entries[oldest] = nil
                state.size -= entry.response?.size ?? 0
                state.first += 1
            }
            if state.first > 1024, state.first > state.order.count / 2 {
                state.order.removeFirst(state.first)
                state.first = 0
            }
        }
    }

    /// What is known of an id that was replaced less than a minute ago; `nil` if it was not.
    func find(_ id: SessionID, at now: Timestamp) -> ReplacedSession? {
        state.withLock { state in
            guard let entry = state.entries[id], now < entry.expires else { return nil }
            return ReplacedSession(response: entry.response)
        }
    }
}

/// What is known of a session's former id.
struct ReplacedSession: Sendable {
    /// The response of the login that replaced it, if its request had an idempotency key.
    let response: SealedResponse?
}
