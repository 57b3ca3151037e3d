import HTTPMessages
import UnderstudyPages

/// The header fields by which browsers decide whether a script of another site may read a response (CORS, Fetch standard).
///
/// They name an origin only if it is allowed, and never `*`, because a response belongs to a client's session.
extension AllowedOrigins {
    /// The header fields for the script; empty if the request's origin is not allowed.
    func headers(for request: Request) -> [(name: HeaderName, value: String)] {
        guard let origin = request.headers.first(.origin), contains(origin) else { return [] }
        return [
            ("Access-Control-Allow-Origin", String(decoding: origin, as: UTF8.self)),
            ("Access-Control-Allow-Credentials", "true"), ("Access-Control-Expose-Headers", Self.exposedHeaders),
            (.vary, "Origin"),
        ]
    }

    /// The response to a preflight request; `nil` for any other request. It is the same for all paths, so that the script can
    /// read a 404.
    ///
    /// - Throws: ``Problem`` `crossSite` if the origin is not allowed.
    func preflight(_ request: Request) throws(Problem) -> Response? {
        guard request.method == .options, request.headers.count(of: "Access-Control-Request-Method") > 0,
            let origin = request.headers.first(.origin)
        else { return nil }
        guard contains(origin) else {
            throw Problem(.crossSite, "The Origin '\(String(decoding: origin, as: UTF8.self))' is not allowed.")
        }
        return Response(
            status: 204,
            headers: [
                ("Access-Control-Allow-Methods", "GET, HEAD, POST, DELETE"),
                ("Access-Control-Allow-Headers", Self.requestHeaders), ("Access-Control-Max-Age", "7200"),
            ]
        )
    }

    /// The header fields of a response that a script may read, in addition to those that any script may read.
    static let exposedHeaders =
        "X-Request-ID, Idempotency-Replayed, Preference-Applied, Retry-After, RateLimit-Policy, RateLimit, Allow, WWW-Authenticate, "
        + "Remote-User, ETag"

    /// The header fields that a script may send.
    private static let requestHeaders =
        "Content-Type, Authorization, Idempotency-Key, Last-Event-ID, Prefer, Session-User, Device-Token, X-Request-ID, "
        + "traceparent"
}
