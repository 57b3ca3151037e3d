import HTTPMessages
import UnderstudyPages

extension Request {
    /// Rejects a request that another site made a browser send, unless its method is safe (RFC 9110, section 9.2.1).
    ///
    /// Browsers send the origin of a request in `Sec-Fetch-Site` (Fetch Metadata). Older browsers send `Origin` (RFC 6454), which
    /// must be the request's host. Other clients send neither, and no site can make them send requests.
    ///
    /// - Parameter allowed: the other sites that may send requests.
    /// - Throws: ``Problem`` `crossSite`.
    func requireSameSite(orOneOf allowed: AllowedOrigins) throws(Problem) {
        if method == .post || !isSafe { try headers.requireSameSite(orOneOf: allowed) }
    }

    private var isSafe: Bool { method == .get || method == .head || method == .options }
}

extension Headers {
    fileprivate func requireSameSite(orOneOf allowed: AllowedOrigins) throws(Problem) {
        if first(.secFetchSite, is: "same-origin") || first(.secFetchSite, is: "none") { return }
        if let site = first(.secFetchSite) {
            if let origin = first(.origin), allowed.contains(origin) { return }
            throw Problem(.crossSite, "Sec-Fetch-Site is '\(String(decoding: site, as: UTF8.self))'.")
        }
        guard let origin = first(.origin), !allowed.contains(origin), let host = first(.host) else { return }
        // As bytes: comparing the characters of a client's text can be slow.
        guard ["http://", "https://"].contains(where: { origin.equalsIgnoringCase(Array($0.utf8) + host) }) else {
            throw Problem(.crossSite, "The Origin '\(String(decoding: origin, as: UTF8.self))' is not this host.")
        }
    }
}

/// The stage that rejects requests that another site made a browser send.
extension UnderstudyService {
    func requireSameSite(_ request: Request) throws(Problem) {
        try request.requireSameSite(orOneOf: configuration.allowedOrigins)
    }
}
