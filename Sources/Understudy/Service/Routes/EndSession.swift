import BusinessLogic
import HTTPMessages
import SessionStorage
import UnderstudyOpenAPI
import UnderstudySessions

extension Route {
    /// `DELETE /session`: ends the session.
    static let endSession = Route(
        .delete,
        "/session",
        operation: ServiceOperation(
            "endSession",
            .sessions,
            "End the session",
            """
            Discards the session with all that it contains, and logs its user out. Without a session, this succeeds \
            and does nothing.
            """,
            security: .optional,
            success: (204, ServiceOperation.answer("The session has ended.", headers: [.setCookie])),
            errors: [.malformedRequest, .notAuthenticated, .crossSite, .internalError] + ErrorResponse.onWaiting
        )
    ) { try await $0.endSession($1) }
}

extension UnderstudyService {
    /// `DELETE /session`: ends the session.
    func endSession(_ request: Request) async throws -> Response {
        let credential = SessionCredential(request, cookieName: configuration.cookieName)
        let response = Response(status: 204, headers: credential.isBearer ? [] : [configuration.expiredCookie])
        return try await withSession(of: credential) { session in
            try await shared?.store.end(session.storeEntry.id.bytes)
            liveSessions.remove(session)
            session.identity.beginEvent(
                from: RequestOrigin(request: request, deviceCookieName: configuration.deviceCookieName)
            )
            if session.identity.user != nil { configuration.onLogout(session.identity.client) }
            session.identity.origin = nil
            return response
        } ?? response
    }
}
