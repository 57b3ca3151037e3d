public import HTTPMessages
import MicroHTTP
import UnderstudyPages

/// The other sites whose pages may use the service from a browser.
public struct AllowedOrigins: Equatable, Sendable {
    /// The origins as browsers write them: in lower case, without the scheme's default port.
    package let origins: [String]

    /// Allows no other site.
    public init() {
        origins = []
    }

    /// Allows the origins in a comma-separated list: `https://app.example, http://localhost:3000`.
    ///
    /// - Throws: `ListEntryError` for the first invalid entry.
    public init(_ list: String) throws(ListEntryError) {
        origins = try Self.origins(list, schemes: ["https://", "http://"], "origin")
    }

    /// The origins in a comma-separated list. `kind` is what the entries are, in the error.
    package static func origins(_ list: String, schemes: [String], _ kind: String) throws(ListEntryError) -> [String] {
        var origins: [String] = []
        for entry in list.listEntries {
            guard let origin = Self.origin(entry, schemes) else {
                let beginning = schemes.reversed().joined(separator: " or ")
                throw ListEntryError(
                    entry,
                    is: "not a valid \(kind): write \(beginning) and a host, with a port if needed, "
                        + "without a path or '*'"
                )
            }
            origins.append(origin)
        }
        return origins
    }

    func contains(_ origin: ArraySlice<UInt8>) -> Bool { origins.contains { origin.elementsEqual($0.utf8) } }

    private static func origin(_ text: String, _ schemes: [String]) -> String? {
        let lower = text.lowercased()
        guard let scheme = schemes.first(where: lower.hasPrefix), lower.utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        let authority = lower.dropFirst(scheme.count)
        let hostEnd = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
        let host = authority[..<(hostEnd ?? authority.firstIndex(of: ":") ?? authority.endIndex)]
        let port = authority[host.endIndex...]
        guard isHost(host), port.isEmpty || isPort(port) else { return nil }
        let usual = scheme == "https://" ? ":443" : ":80"
        return scheme + host + (port == usual ? "" : port)
    }

    private static func isHost(_ host: Substring) -> Bool {
        // No browser sends an IPv4 address in brackets.
        let isBracketed = host.hasPrefix("[") && !host.contains(":")
        return !isBracketed && !host.hasSuffix(".") && !host.contains("%") && AllowedHosts.isHost(ArraySlice(host.utf8))
    }

    private static func isPort(_ port: Substring) -> Bool {
        guard let number = UInt16(port.dropFirst()), number > 0 else { return false }
        return port == ":\(number)"
    }
}

/// The header fields by which browsers decide whether a script of another site may read a response (CORS, Fetch standard).
///
/// They name an origin only if it is allowed, and never `*`, because a response belongs to a client's session.
extension AllowedOrigins {
    /// Says which scripts may read a response.
    static let header: HeaderName = "Access-Control-Allow-Origin"

    /// Empty if the request's origin is not allowed.
    func headers(for request: Request) -> [HeaderField] {
        guard let origin = request.headers.first(.origin), contains(origin) else { return [] }
        return [
            (Self.header, String(decoding: origin, as: UTF8.self)), ("Access-Control-Allow-Credentials", "true"),
            ("Access-Control-Expose-Headers", Self.exposedHeaders),
            (.vary, "Origin"),
        ]
    }

    /// The response to a preflight request; `nil` for any other request. It is the same for all paths, so that the script can
    /// read a 404.
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

    private static let requestHeaders =
        "Content-Type, Authorization, Idempotency-Key, Last-Event-ID, Prefer, Session-User, Device-Token, X-Request-ID, "
        + "traceparent"
}

extension Request {
    /// Rejects a request that another site made a browser send, unless its method is safe (RFC 9110, section 9.2.1).
    ///
    /// Browsers send the origin of a request in `Sec-Fetch-Site` (Fetch Metadata). Older browsers send `Origin` (RFC 6454), which
    /// must be the request's host. Other clients send neither, and no site can make them send requests.
    func requireSameSite(orOneOf allowed: AllowedOrigins) throws(Problem) {
        if method == .get || method == .head || method == .options { return }
        if headers.first(.secFetchSite, is: "same-origin") || headers.first(.secFetchSite, is: "none") { return }
        let origin = headers.first(.origin)
        if let origin, allowed.contains(origin) { return }
        if let site = headers.first(.secFetchSite) {
            throw Problem(.crossSite, "Sec-Fetch-Site is '\(String(decoding: site, as: UTF8.self))'.")
        }
        guard let origin, let host = headers.first(.host) else { return }
        // As bytes: comparing the characters of a client's text can be slow.
        guard ["http://", "https://"].contains(where: { origin.equalsIgnoringCase(Array($0.utf8) + host) }) else {
            throw Problem(.crossSite, "The Origin '\(String(decoding: origin, as: UTF8.self))' is not this host.")
        }
    }
}
