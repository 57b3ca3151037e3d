/// Stores the sessions of a server while it is not running.
///
/// Its methods may be called from any number of tasks at the same time. When a method returns, its changes are durable. If the store
/// is temporarily unavailable, its methods throw ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:)``.
public protocol SessionStore: Sendable {
    /// Saves sessions that no server uses any more: all of them, or none. A session replaces one with the same ID.
    func save(_ sessions: [StoredSession]) async throws

    /// Removes saved sessions and returns them, in one transaction, so that no session can continue twice from the same state. The
    /// session that has been unused longest is first.
    ///
    /// Sessions of a user whose sessions have been revoked since they were saved are removed and not returned.
    ///
    /// - Parameter limit: the maximum number of sessions, at least 1.
    /// - Returns: the sessions; none if there are no more.
    func take(limit: Int) async throws -> [StoredSession]
}
