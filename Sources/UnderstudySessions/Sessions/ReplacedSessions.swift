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

    private struct Generation {
        let end: Timestamp
        var entries: [SessionID: Entry] = [:]
        var size = 0
    }

    /// The last two, the older one first. An older generation has nothing that has not expired, unless there was too much for a minute.
    private let generations = Mutex<[Generation]>([])
    private let maximumCount: Int
    private let maximumSize: Int

    /// How long an ID is stored.
    static let interval: Duration = .seconds(60)

    /// Above `maximumCount` IDs, or `maximumSize` bytes of all responses, the oldest half is forgotten.
    init(maximumCount: Int = 10_000, maximumSize: Int = 8 << 20) {
        (self.maximumCount, self.maximumSize) = (maximumCount, maximumSize)
    }

    /// Stores an ID that was replaced, with the login's response if its request had an idempotency key.
    func add(_ id: SessionID, _ response: SealedResponse?, at now: Timestamp) {
        let size = response?.size ?? 0
        generations.withLock { generations in
            let hasRoom = generations.last.map {
                now < $0.end && $0.entries.count < maximumCount / 2 && $0.size + size <= maximumSize / 2
            }
            if hasRoom != true { generations = generations.suffix(1) + [Generation(end: now + Self.interval)] }
            generations[generations.count - 1].entries[id] = Entry(expires: now + Self.interval, response: response)
            generations[generations.count - 1].size += size
        }
    }

    func removeAll() {
        generations.withLock { $0 = [] }
    }

    /// `nil` unless the ID was replaced less than a minute ago.
    func find(_ id: SessionID, at now: Timestamp) -> ReplacedSession? {
        generations.withLock { generations in
            generations.lazy.compactMap { $0.entries[id] }.first { now < $0.expires }
                .map { ReplacedSession(response: $0.response) }
        }
    }
}

package struct ReplacedSession: Sendable {
    /// `nil` if the login's request had no idempotency key.
    package let response: SealedResponse?
}
