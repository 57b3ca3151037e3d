import BusinessLogic
import FoundationEssentials

extension UnderstudyService {
    /// Has every session go on from what was taken out of it, encoded and decoded, as if the process had been started anew
    /// meanwhile. Nobody may be using them.
    ///
    /// - Throws: `EncodingError` and `DecodingError`, where a controller's state is not what it says it is.
    package func restoreSessions() throws {
        let decoder = JSONDecoder()
        decoder.userInfo[.pages] = pages
        try store.replaceEach { session in
            let snapshot = try decoder.decode(SessionSnapshot.self, from: JSONEncoder().encode(session.snapshot))
            return Session(snapshot, pages: pages, id: session.links.id)
        }
    }
}
