import MicroHTTP

/// What browsers want to be told before a script of another site may read an answer (CORS, in the Fetch standard).
///
/// An origin is named only where it is one of those that are allowed, and never `*`: answers belong to somebody's session.
extension AllowedOrigins {
    /// The header fields that an answer to the request carries for the script's sake; none for whoever is not allowed.
    func headers(for request: Request) -> [(name: HeaderName, value: String)] {
        guard let origin = request.headers.first(.origin), contains(origin) else { return [] }
        return [
            ("Access-Control-Allow-Origin", String(decoding: origin, as: UTF8.self)),
            ("Access-Control-Allow-Credentials", "true"), ("Access-Control-Expose-Headers", Self.exposedHeaders),
            (.vary, "Origin"),
        ]
    }

    /// The answer to a browser that asks whether a script of another site may send a request; `nil` where the request asks
    /// no such thing. It is the same for all paths, so that the script can read that there is nothing at one.
    ///
    /// - Throws: ``Problem`` `crossSite` where it may not.
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

    /// What a script may read of an answer, beside what it may read of any.
    static let exposedHeaders =
        "X-Request-ID, Idempotency-Replayed, Retry-After, RateLimit-Policy, RateLimit, Allow, WWW-Authenticate, Remote-User"

    /// What a script may send along.
    private static let requestHeaders =
        "Content-Type, Authorization, Idempotency-Key, Device-Token, X-Request-ID, traceparent"
}

/// The stage that lets scripts of allowed origins read a response.
extension UnderstudyService {
    func addCrossOriginHeaders(to response: inout Response, of request: Request) {
        guard !configuration.allowedOrigins.origins.isEmpty else { return }
        response.headers += configuration.allowedOrigins.headers(for: request)
    }
}
