import BusinessLogic
import FoundationEssentials

extension UnderstudyService {
    /// Replaces all sessions by decoded copies of their snapshots, as after a restart. No request may use them meanwhile.
    ///
    /// - Throws: `EncodingError` or `DecodingError` if a controller's state cannot be encoded and decoded.
    package func restoreSessions() throws {
        let decoder = JSONDecoder()
        decoder.userInfo[.pages] = pages
        try store.replaceEach { session in
            let snapshot = try decoder.decode(SessionSnapshot.self, from: JSONEncoder().encode(session.snapshot))
            return Session(snapshot, pages: pages, id: session.storeEntry.id)
        }
    }
}
