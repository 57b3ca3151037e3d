import BusinessLogic
import UnderstudySessions

extension UnderstudyService {
    /// Replaces all sessions by decoded copies of their snapshots, as after a restart. No request may use them meanwhile.
    ///
    /// - Throws: `EncodingError` or `DecodingError` if a controller's state cannot be encoded and decoded.
    package func restartSessions() throws {
        try liveSessions.replaceEach { session in
            var failure: (any Error)?
            let snapshot = try SessionSnapshot(json: session.snapshot.json)
            let restored = Session(
                id: session.shardEntry.id,
                now: snapshot.created,
                address: session.address,
                log: newLog()
            )
            restored.restore(snapshot, pages: pages) { failure = $1 }
            if let failure { throw failure }
            return restored
        }
    }
}
