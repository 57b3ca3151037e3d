import BusinessLogic
import FoundationEssentials
import HTTPMessages
import UnderstudyPages

extension UnderstudyService {
    /// `GET /session`: the logged-in user, and when the session expires.
    func showSession(_ request: Request) async throws -> Response {
        try await withRequiredSession(of: request) { session in
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
    /// The time in UTC (RFC 3339).
    var text: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
    }
}
