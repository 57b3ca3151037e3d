package import BusinessLogic
package import SessionStorage
package import Synchronization

/// The sessions in a database, which several servers may share. The sessions in memory are copies of them.
package final class SharedSessions: Sendable {
    package let store: any SessionStore
    /// The number of the last revocation that this server knows. Knowing an old one is safe: a login of a user whose sessions were
    /// revoked since runs again.
    package let lastRevocation = Atomic<Int>(0)

    package init(_ store: any SessionStore) {
        self.store = store
    }

    /// Stores a new session without commands.
    ///
    /// - Throws: the store's error, or if the session cannot be encoded.
    package func create(_ session: Session, at now: Timestamp) async throws {
        session.sharedVersion = SharedVersion()
        guard try await store.commit(session.change(size: session.shardEntry.size, at: now), with: []) == .committed
        else {
            // The ID is random, so that no other session has it.
            throw CollaboratorError.unavailable(retryAfter: .seconds(1))
        }
        session.sharedVersion?.add(session)
    }
}
