import BusinessLogic
import FoundationEssentials
import HTTPMessages
import UnderstudyPages

extension UnderstudyService {
    /// `GET /session`: the logged-in user, and when the session expires.
    func showSession(_ request: Request) async throws -> Response {
        try await perform(request) { session in
            guard let user = session.identity.user else { throw Problem(.notAuthenticated, "No user is logged in.") }
            let (expiry, shift) = (liveSessions.expiry(of: session), clockShift)
            var response = Response.json([
                "authenticated": true,
                "user": ["username": .string(user.username)],
                "expires": .string((expiry.lifetime + shift).text),
                "idleExpires": .string((min(expiry.idle, expiry.lifetime) + shift).text),
            ])
            response.headers.append(("Remote-User", user.username.percentEncoded))
            return response
        }
    }
}

extension String {
    /// The text for a header field. All bytes except visible ASCII, and `%`, are percent-encoded.
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
