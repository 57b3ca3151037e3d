import MicroHTTP

extension Request {
    /// Makes sure that no other site had a browser send the request, where that could change something: whatever has not a
    /// method that is safe (RFC 9110, section 9.2.1).
    ///
    /// A browser says where a request comes from in `Sec-Fetch-Site` (Fetch Metadata), an older one in `Origin` (RFC 6454),
    /// which then has to be the host that was asked. Other clients send neither, and nobody can make them send anything.
    ///
    /// - Parameter allowed: the other sites that may.
    /// - Throws: ``Problem`` `crossSite`.
    func requireSameSite(orOneOf allowed: AllowedOrigins) throws(Problem) {
        if method == .post || !isSafe { try headers.requireSameSite(orOneOf: allowed) }
    }

    private var isSafe: Bool { method == .get || method == .head || method == .options }
}

extension Headers {
    fileprivate func requireSameSite(orOneOf allowed: AllowedOrigins) throws(Problem) {
        if let site = first(.secFetchSite) {
            if site.elementsEqual("same-origin".utf8) || site.elementsEqual("none".utf8) { return }
            if let origin = first(.origin), allowed.contains(origin) { return }
            throw Problem(.crossSite, "Sec-Fetch-Site is '\(String(decoding: site, as: UTF8.self))'.")
        }
        guard let origin = first(.origin), !allowed.contains(origin), let host = first(.host) else { return }
        // As bytes: characters that a client chooses can make comparing text slow.
        guard ["http://", "https://"].contains(where: { origin.equalsIgnoringCase(Array($0.utf8) + host) }) else {
            throw Problem(.crossSite, "The Origin '\(String(decoding: origin, as: UTF8.self))' is not this host.")
        }
    }
}

/// The stage that rejects what another site had a browser send.
extension UnderstudyService {
    func requireSameSite(_ request: Request) throws(Problem) {
        try request.requireSameSite(orOneOf: configuration.allowedOrigins)
    }
}
