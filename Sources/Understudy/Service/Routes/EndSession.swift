import BusinessLogic
import HTTPMessages
import SessionStorage
import UnderstudySessions

extension UnderstudyService {
    /// `DELETE /session`: ends the session.
    func endSession(_ request: Request) async throws -> Response {
        let credential = SessionCredential(request, cookieName: configuration.cookieName)
        let response = Response(status: 204, headers: credential.isBearer ? [] : [configuration.expiredCookie])
        return try await withSession(of: credential) { session in
            try await shared?.store.end(session.shardEntry.id.bytes)
            liveSessions.remove(session)
            // At once: the lock of the session is held.
            if shared == nil { sessionEnds?.add(key: session.values.takeKey()) }
            session.identity.beginEvent(
                from: RequestOrigin(
                    request: request,
                    deviceCookieName: configuration.deviceCookieName,
                    languages: languages
                )
            )
            if session.identity.user != nil { await configuration.onLogout(session.identity.client) }
            return response
        } ?? response
    }
}
