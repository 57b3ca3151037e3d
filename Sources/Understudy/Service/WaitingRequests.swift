import Addresses
import BusinessLogic
import Synchronization
import UnderstudyPages
import UnderstudySessions

/// A session of a database for which a request waits.
struct WatchedSession: Sendable {
    let session: Session
    let id: [UInt8]
    /// The version of the session when the request last looked at it.
    let version: Int
}

/// The requests that wait for new commands of their sessions: streams, and requests with `wait`.
final class WaitingRequests: Sendable {
    private struct State {
        /// The requests, each with the session of the database that it waits for.
        var waiting: [ObjectIdentifier: (waiter: Waiter, session: WatchedSession?)] = [:]
        /// How many wait, by address.
        var counts: [IPAddress: Int] = [:]
    }

    private let state = Mutex(State())

    /// The maximum number of waiting requests from one address, or from an IPv6 network of 64 bits: that of connections by default.
    static let maximumPerAddress = 100

    var count: Int { state.withLock { $0.waiting.count } }

    /// Adds a request.
    ///
    /// - Parameter address: the address for which it counts; `nil` if it is not limited.
    /// - Throws: ``Problem`` `tooManyRequests`.
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

    /// Removes a request that was added with the same address.
    func remove(_ waiter: Waiter, from address: IPAddress?) {
        state.withLock { state in
            state.waiting[ObjectIdentifier(waiter)] = nil
            guard let address, let count = state.counts[address] else { return }
            state.counts[address] = count > 1 ? count - 1 : nil
        }
    }

    /// Stores which session of a database a request waits for.
    func watch(_ session: WatchedSession, _ waiter: Waiter) {
        state.withLock { $0.waiting[ObjectIdentifier(waiter)]?.session = session }
    }

    /// The sessions of the database for which requests wait, by their IDs.
    var sessions: [[UInt8]: WatchedSession] {
        let sessions = state.withLock { $0.waiting.values.compactMap(\.session) }
        return Dictionary(sessions.map { ($0.id, $0) }) { $0.version > $1.version ? $0 : $1 }
    }

    /// Makes all requests look at their sessions again.
    func wakeAll() {
        for waiter in state.withLock({ $0.waiting.values.map(\.waiter) }) { waiter.wake() }
    }
}
