import BusinessLogic
import HTTPMessages
import UnderstudySessions
import FoundationEssentials
import UnderstudyPages

extension UnderstudyService {
    /// `POST /session`: starts a session for a client without cookies.
    func startSession(_ request: Request) async throws -> Response {
        .json(["token": .string(try await startSession(for: request).text)], status: 201)
    }

    /// Starts a session, and returns its token. Without a snapshot, the session has no content.
    func startSession(for request: Request, from snapshot: SessionSnapshot? = nil) async throws -> SessionToken {
        let (token, backend) = (SessionToken.random(), backend())
        let lease = try await backend.start(token.id, for: request, isContinued: snapshot != nil)
        let session = lease.session
        if let snapshot { session.restore(snapshot, pages: pages) }
        session.shardEntry.size =
            snapshot == nil ? 1024 : session.trimmedSize(maximum: configuration.sessions.maximumSize)
        try await backend.insert(session)
        return token
    }

    /// `GET /session`: the logged-in user, and when the session expires.
    func showSession(_ request: Request) async throws -> Response {
        try await withRequiredSession(of: credential(of: request)) { session in
            guard let user = session.identity.user else { throw Problem(.notAuthenticated, "No user is logged in.") }
            let (expiry, shift) = (liveSessions.expiry(of: session), clockShift)
            var response = Response.json([
                "authenticated": true,
                "user": ["username": .string(user.username)],
                "expires": .string((expiry.lifetime + shift).text),
                "idleExpires": .string((min(expiry.idle, expiry.lifetime) + shift).text),
            ])
            let name = user.username.percentEncoded { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "%") }
            response.headers.append(("Remote-User", name))
            return response
        }
    }
}

extension Timestamp {
    /// In UTC (RFC 3339).
    var text: String { Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601) }
}

extension UnderstudyService {
    /// `GET /session/recording`: the session's recording.
    func showRecording(_ request: Request) async throws -> Response {
        try await withRequiredSession(of: credential(of: request)) { session in
            guard let recorder = session.recorder else {
                if configuration.isDevelopment, shared == nil {
                    throw Problem(
                        .notRecorded,
                        "The session continues another one: its recording would lack the beginning."
                    )
                }
                throw Problem(
                    .notRecorded,
                    "The server does not record sessions. The option '--record', or 'recording' of the ServiceConfiguration, turns it on."
                )
            }
            guard !session.hidesRecording else {
                throw Problem(.notRecorded, "The recording contains events of a user who has logged out.")
            }
            return Response(status: 200, contentType: .jsonLines, body: try recorder.bytes)
        }
    }

    /// `DELETE /session`: ends the session.
    func endSession(_ request: Request) async throws -> Response {
        let credential = credential(of: request)
        let response = Response(status: 204, headers: credential.isBearer ? [] : [configuration.expiredCookie])
        return try await withSession(of: credential) { session in
            try await backend().end(session)
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
