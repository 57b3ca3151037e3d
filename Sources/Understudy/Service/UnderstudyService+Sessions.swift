import BusinessLogic
import FoundationEssentials
import MicroHTTP

extension UnderstudyService {
    /// `POST /session`: a session for a client without cookies.
    func startSession(_ request: Request) async throws -> Response {
        let now = configuration.clock.now
        let token = SessionToken.random()
        let session = newSession(token.id, for: request, at: now)
        session.links.size = 1024
        _ = try await store.insert(session, at: now, endings: store.lastEnding)
        return .json(["token": .string(token.text)], status: 201)
    }

    /// `GET /session`: who is logged in, and for how long.
    func showSession(_ request: Request) async throws -> Response {
        try await perform(request) { session in
            guard let user = session.identity.user else { throw Problem(.notAuthenticated, "Nobody has logged in.") }
            let expiry = try await store.expiry(of: session)
            var response = Response.json([
                "authenticated": true,
                "user": ["username": .string(user.username)],
                "expires": .string(expiry.lifetime.text),
                "idleExpires": .string(min(expiry.idle, expiry.lifetime).text),
            ])
            response.headers.append(("Remote-User", user.username.percentEncoded))
            return response
        }
    }

    /// `DELETE /session`: the session is gone.
    func endSession(_ request: Request) async throws -> Response {
        let client = SessionCredential(request, cookieName: configuration.cookieName)
        let response = Response(status: 204, headers: client.isBearer ? [] : [configuration.expiredCookie])
        guard let session = try await find(client, at: configuration.clock.now) else { return response }
        return try await perform(in: session, of: client) {
            try await store.remove(session)
            session.identity.origin = RequestOrigin(
                request: request,
                deviceCookieName: configuration.deviceCookieName
            )
            if session.identity.user != nil { configuration.onLogout(session.identity.client) }
            session.identity.origin = nil
            return response
        }
    }

    /// `GET /session/history?since=N`: the commands after N, over all pages.
    func showHistory(_ request: Request) async throws -> Response {
        let since = try sequence(named: "since", in: request)
        return try await perform(request) { session in
            guard let commands = session.history.since(since) else {
                throw Problem(
                    .historyGone,
                    "The last \(session.history.limit) commands are kept.",
                    members: ["sequence": Value(session.history.sequence)]
                )
            }
            return Response(
                status: 200,
                contentType: .json,
                body: .answer(sequence: session.history.sequence, commands: commands)
            )
        }
    }

    /// `GET /session/recording`: all that has happened in the session, where that is recorded.
    func showRecording(_ request: Request) async throws -> Response {
        try await perform(request) { session in
            guard let recorder = session.recorder else {
                throw Problem(
                    .notRecorded,
                    "Sessions are recorded where the server is started with '--record', or its configuration names a 'recording'."
                )
            }
            return Response(status: 200, contentType: .jsonLines, body: try recorder.bytes)
        }
    }

    /// Does `body` in the turn of the request's session.
    ///
    /// - Throws: ``Problem`` `notAuthenticated` where there is no session.
    private func perform(_ request: Request, _ body: (Session) async throws -> Response) async throws -> Response {
        let client = SessionCredential(request, cookieName: configuration.cookieName)
        guard let session = try await find(client, at: configuration.clock.now) else {
            throw Problem(
                .notAuthenticated,
                client == .unknown
                    ? "The request names no session. POST /session starts one."
                    : "There is no such session: the cookie is unknown or has expired. POST /session starts a new one."
            )
        }
        return try await perform(in: session, of: client) { try await body(session) }
    }

    /// A query parameter that is a whole number from 0; 0 where it is not given.
    private func sequence(named name: String, in request: Request) throws(Problem) -> Int {
        for parameter in request.query?.split(separator: "&") ?? [] {
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0] == name else { continue }
            guard parts.count == 2, let number = Int(parts[1]), number >= 0, parts[1].first != "+" else {
                throw Problem(.invalidParameter, "'\(name)' has to be a whole number from 0.")
            }
            return number
        }
        return 0
    }
}

extension String {
    /// The text as a header can hold it: what is no visible ASCII, and `%`, as `%` and two hexadecimal digits a byte.
    fileprivate var percentEncoded: String {
        var encoded = ""
        for byte in utf8 {
            if (0x21...0x7E).contains(byte), byte != UInt8(ascii: "%") {
                encoded.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return encoded
    }
}

extension Timestamp {
    /// The time in UTC (RFC 3339).
    var text: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
    }
}
