import MicroHTTP

extension Headers {
    /// Makes sure that no other site had a browser send the request.
    ///
    /// A browser says where a request comes from in `Sec-Fetch-Site` (Fetch Metadata), an older one in `Origin` (RFC 6454),
    /// which then has to be the host that was asked. Other clients send neither, and nobody can make them send anything.
    ///
    /// - Throws: ``Problem`` `crossSite`.
    func requireSameSite() throws(Problem) {
        if let site = first("sec-fetch-site") {
            if site.elementsEqual("same-origin".utf8) || site.elementsEqual("none".utf8) { return }
            throw Problem(.crossSite, "Sec-Fetch-Site is '\(String(decoding: site, as: UTF8.self))'.")
        }
        guard let origin = self["origin"], let host = self["host"] else { return }
        if origin.lowercased() != "http://" + host.lowercased(), origin.lowercased() != "https://" + host.lowercased() {
            throw Problem(.crossSite, "The Origin '\(origin)' is not this host.")
        }
    }
}
