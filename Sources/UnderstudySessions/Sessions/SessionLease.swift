import BusinessLogic
import HTTPMessages

/// The right to use a session, which one task has at a time. It ends with this value.
package struct SessionLease: ~Copyable {
    package let session: Session

    /// - Returns: `nil` if another task uses the session.
    package init?(ifFree session: Session) {
        guard session.lock.acquireIfFree() else { return nil }
        self.session = session
    }

    /// Waits until the tasks that have asked before have used the session.
    ///
    /// - Parameter limit: the maximum number of waiting tasks.
    /// - Throws: `CollaboratorError.overloaded` if too many tasks already wait; `CancellationError`.
    package init(waitingFor session: Session, limit: Int = .max) async throws {
        try await RequestTrace.measure(.session, "wait for the session") {
            try await session.lock.acquire(limit: limit)
        }
        self.session = session
    }

    deinit {
        session.identity.origin = nil
        session.lock.release()
    }
}
