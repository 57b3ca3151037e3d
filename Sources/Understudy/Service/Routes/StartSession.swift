import BusinessLogic
import MicroHTTP

extension Route {
    /// `POST /session`: starts a session for a client without cookies.
    static let startSession = Route(
        .post,
        "/session",
        operation: ServiceOperation(
            "startSession",
            .sessions,
            "Start a session for a client without cookies",
            "Takes no body. Clients that keep cookies need not call it: their first event starts a session.",
            success: (
                201,
                ServiceOperation.answer(
                    "The session's token. Keep it secret: whoever has it has the session.",
                    "application/json",
                    .schema("SessionToken")
                )
            ),
            errors: [.malformedRequest, .crossSite, .bodyTooLarge, .internalError] + ErrorResponse.onWaiting
        )
    ) { try await $0.startSession($1) }
}

extension UnderstudyService {
    /// `POST /session`: starts a session for a client without cookies.
    fileprivate func startSession(_ request: Request) async throws -> Response {
        let now = configuration.clock.now
        let token = SessionToken.random()
        let session = newSession(token.id, for: request, at: now)
        session.storeEntry.size = 1024
        _ = store.insert(session, at: now, revocations: store.lastRevocation)
        return .json(["token": .string(token.text)], status: 201)
    }
}
