import BusinessLogic
import HTTPMessages
import SessionStorage
import UnderstudyPages
import UnderstudySessions

/// Where a service finds the sessions of its requests, and where it stores what events change: what differs between the modes
/// ``SessionMode/memory`` and ``SessionMode/database``.
protocol SessionBackend {
    /// More than one, if another server can change its session meanwhile.
    var maximumRuns: Int { get }

    /// A revocation ends all sessions of a user.
    var lastRevocation: Int { get }

    /// Runs `body`, in which collaborators find the unit of work that ``commit(_:_:)`` stores with the session, if there is one.
    ///
    /// - Parameter isolation: the event loop, to which the closure would not return otherwise.
    func inUnitOfWork<Result>(
        isolation: isolated (any Actor)?,
        _ body: () async throws -> Result
    ) async rethrows -> Result

    /// Throws ``Problem`` `notAuthenticated` if a bearer token is unknown or has expired, or if the session ended while the request waited.
    func acquire(_ credential: SessionCredential) async throws -> SessionAcquisition

    /// A new session, which is not in the store yet. If it is continued, it begins with the content of another one.
    func start(_ id: SessionID, for request: Request, isContinued: Bool) async throws -> Session.Lease

    /// Stores a new session that no request has used, so that its last use is its start.
    func insert(_ session: Session) async throws

    /// Releases what belongs to a new session whose first event has failed, and which is therefore in no store.
    func discard(_ session: Session)

    /// The caller holds the session's lock.
    func end(_ session: Session) async throws

    /// Whether the session has changed nowhere else since it was read. If it has, removes it from memory, so that the next request reads it
    /// again. Counts as a use of the session. The caller holds the session's lock.
    func isCurrent(_ session: Session) async throws -> Bool

    /// Stores the session after an event. The caller holds the session's lock. Returns `false` if nothing is stored, so that the event must run
    /// again.
    ///
    /// - Throws: ``Problem`` `notAuthenticated` if the session ended during the event, or a revocation ended all sessions of its user; the store's
    ///   error.
    func commit(_ event: HandledEvent, _ response: Response) async throws -> Bool

    /// Stores the session after an update, which is no use of the session. The caller holds the session's lock. `start` is the number of the
    /// session's last command before the update. Returns `false` if nothing is stored, because the session has changed on another server.
    func commitUpdate(in session: Session, since start: Int) async throws -> Bool

    /// Stores the response to an event that has failed, if the session's cache contains one. The caller holds the session's lock. Returns `false` if
    /// the event may have failed because the session in memory is an old one, so that it must run again.
    func commitFailure(of event: PostedEvent, in session: Session, isFresh: Bool) async throws -> Bool
}

extension UnderstudyService {
    /// A use of the session postpones its expiry.
    func backend(isUse: Bool = true) -> any SessionBackend {
        guard let shared else { return MemoryBackend(service: self, isUse: isUse) }
        return DatabaseBackend(self, shared, isUse: isUse)
    }

    /// Counts the memory of a stored session after a change. The caller holds the session's lock.
    func resize(_ session: Session) {
        let size = session.trimmedSize(maximum: configuration.sessions.maximumSize)
        if size != session.shardEntry.size { liveSessions.resize(session, to: size) }
    }
}

enum SessionAcquisition: ~Copyable {
    /// It is fresh if no other server can have changed or ended it since it was read.
    case session(Session.Lease, isFresh: Bool)
    /// The client has no session and may start one.
    case none
    /// Less than a minute ago, a login or logout has replaced the session's ID. The response is that of the login or logout, if it is stored.
    case replaced(SealedResponse?)

    /// Throws ``Problem`` `notAuthenticated` if the client requires the session to exist.
    static func missing(_ credential: SessionCredential) throws(Problem) -> SessionAcquisition {
        if credential.isBearer { throw .unknownToken }
        return .none
    }
}

struct HandledEvent {
    let event: PostedEvent
    let session: Session
    /// The number of the session's last command before the event.
    let start: Int
    let newToken: SessionToken?
    /// Replaces the session's token, because the event has changed the user.
    let renewal: SessionToken?
    let lastRevocation: Int
}
