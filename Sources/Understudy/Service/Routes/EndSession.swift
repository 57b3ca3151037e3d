import BusinessLogic
import MicroHTTP

extension Route {
    /// `DELETE /session`: ends the session.
    static let endSession = Route(
        .delete,
        "/session",
        operation: ServiceOperation(
            "endSession",
            .sessions,
            "End the session",
            "All that the session held is gone, a login too. Without a session there is nothing to do, and that is no error.",
            security: .optional,
            success: (204, ServiceOperation.answer("There is no session any more.", headers: [.setCookie])),
            errors: [.malformedRequest, .notAuthenticated, .crossSite, .internalError] + ErrorResponse.onWaiting
        )
    ) { try await $0.endSession($1) }
}

extension UnderstudyService {
    /// `DELETE /session`: ends the session.
    func endSession(_ request: Request) async throws -> Response {
        let credential = SessionCredential(request, cookieName: configuration.cookieName)
        let response = Response(status: 204, headers: credential.isBearer ? [] : [configuration.expiredCookie])
        guard let session = try find(credential, at: configuration.clock.now) else { return response }
        return try await perform(in: session, of: credential) {
            store.remove(session)
            session.identity.beginEvent(
                from: RequestOrigin(request: request, deviceCookieName: configuration.deviceCookieName)
            )
            if session.identity.user != nil { configuration.onLogout(session.identity.client) }
            session.identity.origin = nil
            return response
        }
    }
}
