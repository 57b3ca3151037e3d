import BusinessLogic
import Synchronization

/// The IDs that logins have replaced, each for one minute, with the login's response.
///
/// A request with such an ID must not start a new session, because its cookie would overwrite the cookie that the login has
/// set. A client that has not received the login's response can request it again.
final class ReplacedSessions: Sendable {
    private struct Entry {
        let expires: Timestamp
        let response: SealedResponse?
    }

    private struct State {
        var entries: [SessionID: Entry] = [:]
        /// The IDs in the order in which they were replaced. Those before `first` have been removed.
        var order: [SessionID] = []
        var first = 0
        var size = 0
    }

    private let state = Mutex(State())

    /// How long an ID is stored.
    static let interval: Duration = .seconds(60)
    private static let maximumCount = 10_000
    /// The maximum number of bytes that all responses may take.
    private static let maximumSize = 8 << 20

    /// Stores an ID that was replaced.
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

    /// Forgets all IDs.
    func removeAll() {
        state.withLock { $0 = State() }
    }

    /// The login that replaced an ID less than a minute ago; `nil` for any other ID.
    func find(_ id: SessionID, at now: Timestamp) -> ReplacedSession? {
        state.withLock { state in
            guard let entry = state.entries[id], now < entry.expires else { return nil }
            return ReplacedSession(response: entry.response)
        }
    }
}

/// The login that replaced a session's ID.
package struct ReplacedSession: Sendable {
    /// The login's response, if its request had an idempotency key.
    package let response: SealedResponse?
}
