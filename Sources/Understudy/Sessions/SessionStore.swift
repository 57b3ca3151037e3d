import BusinessLogic

/// How long sessions live, how large they may be, and how many there may be.
public struct SessionLimits: Sendable {
    /// How long a session may go unused.
    public var idle: Duration = .seconds(30 * 60)
    /// How long a session may live, used or not.
    public var lifetime: Duration = .seconds(12 * 60 * 60)
    /// How many sessions there may be, at least 1. Above it, sessions without a logged-in user end first, among them those
    /// that only their first request has used, and then the one unused for longest.
    public var maximum = 100_000
    /// How many bytes a session may hold. Old commands and responses are removed to keep it; an event that would still
    /// exceed it gets `sessionFull`.
    public var maximumSize = 64 << 10
    /// How many bytes all sessions together may hold. Above it, sessions end in the same order as above ``maximum``.
    public var maximumMemory = 256 << 20
    /// How many sessions without a logged-in user there may be from one address, of IPv6 from one /64; at least 1. Above it,
    /// the oldest of them ends. `nil` for no limit.
    public var maximumPerAddress: Int? = 1000

    /// Thirty minutes, twelve hours, a hundred thousand sessions of 64 KiB in 256 MiB, a thousand from one address.
    public init() {}
}

/// Where sessions are kept and found.
///
/// Whoever finds a session works on it in its turn, and saves it before giving the turn back.
protocol SessionStore: Sendable {
    /// Whether a session that has changed has to be saved, because it is kept elsewhere too.
    var savesElsewhere: Bool { get }

    /// The session of that id, where it is at hand without waiting. To be found is to be used.
    func sessionAtHand(_ id: SessionID, at now: Timestamp) -> Session?

    /// The session of that id, unless it is unknown or has expired. To be found is to be used.
    func find(_ id: SessionID, at now: Timestamp) async throws -> Session?

    /// Keeps a new session.
    ///
    /// - Parameter endings: the number of the last ending before its first event.
    /// - Returns: `false` if the sessions of its user have been ended since, so that it is not kept.
    func insert(_ session: Session, at now: Timestamp, endings: UInt64) async throws -> Bool

    /// Keeps what has changed in the session.
    func save(_ session: Session) async throws

    /// Gives the session another id, since its user has changed; the old one is invalid at once.
    ///
    /// - Parameters:
    ///   - response: the login's response, for a client that did not receive it.
    ///   - endings: the number of the last ending before the event.
    /// - Returns: `false` if the session has ended, or the sessions of its user have been ended since; it has ended then.
    func rename(
        _ session: Session,
        to id: SessionID,
        response: SealedResponse?,
        at now: Timestamp,
        endings: UInt64
    ) async throws -> Bool

    /// What is known of an id that was replaced less than a minute ago; `nil` if it was not.
    func replacedSession(_ id: SessionID, at now: Timestamp) async throws -> ReplacedSession?

    /// Notes how many bytes a session takes. Others may end to make room.
    func resize(_ session: Session, to size: Int)

    /// Forgets the session.
    func remove(_ session: Session) async throws

    /// Forgets all sessions that a user is logged in to.
    func removeSessions(ofUser user: String) async throws

    /// The number of the last time that the sessions of a user were ended.
    var lastEnding: UInt64 { get }

    /// When the session will have gone unused for too long, and when it will have lived for too long.
    func expiry(of session: Session) async throws -> (idle: Timestamp, lifetime: Timestamp)
}
