public import BusinessLogic

/// Stores the sessions of servers: while a server is not running, or durably after each event.
///
/// Its methods may be called from any number of tasks at the same time, and several processes may share one database. When a method
/// returns, its changes are durable. If the store is temporarily unavailable, its methods throw
/// ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
public protocol SessionStore: Sendable {
    // MARK: Sessions of one server, saved while it is not running

    /// Saves sessions that no server uses any more: all of them, or none. A session replaces one with the same ID.
    ///
    /// - Parameters:
    ///   - sessions: the sessions.
    ///   - deadline: when the call fails at the latest if the store is not available.
    func save(_ sessions: [StoredSession], until deadline: ContinuousClock.Instant) async throws

    /// Removes sessions and returns them, in one transaction, so that no session can continue twice from the same state. The session that has
    /// been unused longest is first.
    ///
    /// Sessions of a user whose sessions have been revoked after the last revocation that the server which saved them knew have ended.
    ///
    /// - Parameter limit: the maximum number of sessions, at least 1.
    /// - Returns: the sessions; none if there are no more.
    func take(limit: Int) async throws -> [StoredSession]

    /// The key with which servers hash the addresses of sessions: 16 to 64 random bytes, always the same ones. The store creates them
    /// when it is first asked for them.
    var addressKey: [UInt8] { get async throws }

    // MARK: Sessions that servers share, stored after each event

    /// Identifies the database whose other data a ``UnitOfWork`` can change in the same transaction; `nil` without one.
    var database: ObjectIdentifier? { get }

    /// Whether the store can be reached and written, as far as it has noticed: `/readyz` returns 503 otherwise. Does not wait.
    var isAvailable: Bool { get }

    /// The current state of a shared session.
    ///
    /// - Parameters:
    ///   - id: the session's ID.
    ///   - known: the version that the caller knows; 0 if it knows none.
    func find(_ id: [UInt8], unlessVersion known: Int) async throws -> SessionLookup

    /// The versions of those shared sessions that exist, by their IDs; `nil` if the store cannot find out what other servers have changed.
    /// A server calls this twice a second for the sessions for which requests wait.
    func versions(of ids: [[UInt8]]) async throws -> [[UInt8]: Int]?

    /// Stores what an event has changed, in one transaction: all of it, or nothing. Committing the same change again has no further
    /// effect, so that a caller may repeat a commit whose result it does not know.
    ///
    /// - Parameters:
    ///   - change: the change of the session. Its last use stays the stored one if that is later.
    ///   - writes: what the event's collaborators have written to ``database``, in their order.
    func commit(_ change: SessionChange, with writes: [any StoreWrite]) async throws -> CommitResult

    /// Records that a request has used a session without changing it.
    func touch(_ id: [UInt8], at now: Timestamp) async throws

    /// Ends a session. Does nothing if there is no such session.
    func end(_ id: [UInt8]) async throws

    /// Ends all shared sessions to which a user is logged in. A login that has begun before and is committed afterwards fails with
    /// ``CommitResult/revoked(last:)``.
    func endSessions(ofUser user: String) async throws

    /// The shared sessions to which a user is logged in, in any order.
    func sessions(ofUser user: String) async throws -> [UserSession]

    /// Removes all expired sessions, then those that exceed a limit, in many short transactions. A session that an event uses at the
    /// moment may stay until the next call. If another server removes sessions at the same time, one of both does the work.
    ///
    /// Above a maximum, sessions go in the order of their ``SessionClass``, and in each class the session that has been unused longest goes
    /// first. IDs that were replaced more than a minute ago are removed as well.
    ///
    /// - Parameters:
    ///   - limits: the limits. ``SessionChange/size`` counts for ``SessionLimits/maximumMemory``.
    ///   - now: the current time. A time in the store that is more than a minute later is from a clock that was ahead, and becomes the current
    ///     time.
    func removeSessions(exceeding limits: SessionLimits, at now: Timestamp) async throws -> RemovedSessions

    // MARK: Sessions that have ended

    /// The keys of sessions that have ended in the store, or whose key has changed, in the transaction that ended them. A session that
    /// ``take(limit:)`` returns has not ended.
    ///
    /// The caller owns the keys for a minute, in which no other server gets them. If it has not removed a key by then, the next call by any
    /// server returns it again: after a pause that grows to an hour.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of keys, at least 1.
    ///   - now: the current time.
    func claimEndedSessions(limit: Int, at now: Timestamp) async throws -> [String]

    /// Removes a key, because everything has been done for its session.
    func removeEndedSession(_ key: String) async throws
}

extension SessionStore {
    /// Saves sessions, within a minute.
    public func save(_ sessions: [StoredSession]) async throws { try await save(sessions, until: .now + .seconds(60)) }
}

/// How many sessions a store has removed.
public struct RemovedSessions: Equatable, Sendable {
    /// Sessions that were unused for too long, or had reached their lifetime.
    public var expired: Int
    /// Sessions that exceeded a limit.
    public var evicted: Int

    /// Creates a number.
    public init(expired: Int = 0, evicted: Int = 0) {
        self.expired = expired
        self.evicted = evicted
    }
}
