import BusinessLogic
import HTTPMessages
import UnderstudyOpenAPI
import UnderstudySessions

extension Route {
    /// `POST /session`: starts a session for a client without cookies.
    static let startSession = Route(
        .post,
        "/session",
        operation: ServiceOperation(
            "startSession",
            .sessions,
            "Start a session",
            "Starts a session for a client without cookies. Takes no body. A client with cookies need not call it.",
            success: (
                201,
                ServiceOperation.answer(
                    "The session's token. Keep it secret: it is the key to the session.",
                    "application/json",
                    .schema("SessionToken"),
                    example: ["token": "5f0c6a1d2b9e48378a1c0d4e6f7b2935"],
                    links: [
                        "login": [
                            "operationId": "showSession",
                            "description": "The logged-in user. \(tokenUse)",
                        ],
                        "history": [
                            "operationId": "showHistory",
                            "description": "The commands of the session. \(tokenUse)",
                        ],
                        "end": [
                            "operationId": "endSession",
                            "description": "Ends the session. \(tokenUse)",
                        ],
                    ]
                )
            ),
            errors: [.malformedRequest, .crossSite, .bodyTooLarge, .internalError] + ErrorResponse.onWaiting
        )
    ) { try await $0.startSession($1) }

    private static let tokenUse = "Send `$response.body#/token` as `Authorization: Bearer TOKEN`."
}

extension UnderstudyService {
    /// `POST /session`: starts a session for a client without cookies.
    fileprivate func startSession(_ request: Request) async throws -> Response {
        .json(["token": .string(try await startSession(for: request).text)], status: 201)
    }

    /// Starts a session, and returns its token.
    func startSession(for request: Request) async throws -> SessionToken {
        if let shared { try await loadAddressKey(from: shared.store) }
        let now = sessionTime
        let token = SessionToken.random()
        let session = newSession(token.id, for: request, at: now)
        session.storeEntry.size = 1024
        try await shared?.create(session, at: now)
        _ = liveSessions.insert(session, at: now, revocations: liveSessions.lastRevocation)
        return token
    }
}
