import BusinessLogic

/// How long sessions live, and how many there may be.
public struct SessionLimits: Sendable {
    /// How long a session may go unused.
    public var idle: Duration = .seconds(30 * 60)
    /// How long a session may live, used or not.
    public var lifetime: Duration = .seconds(12 * 60 * 60)
    /// How many sessions there may be; past that the one unused for longest goes. At least 1.
    public var maximum = 100_000

    /// Thirty minutes, twelve hours, a hundred thousand.
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
    func insert(_ session: Session, at now: Timestamp) async throws

    /// Keeps what has changed in the session.
    func save(_ session: Session) async throws

    /// Gives the session another id, since somebody has logged in; the old one is dead at once.
    func rename(_ session: Session, to id: SessionID) async throws

    /// Forgets the session.
    func remove(_ session: Session) async throws

    /// Forgets all sessions that a user is logged in to.
    func removeSessions(ofUser user: String) async throws

    /// When the session will have gone unused for too long, and when it will have lived for too long.
    func expiry(of session: Session) async throws -> (idle: Timestamp, lifetime: Timestamp)
}
