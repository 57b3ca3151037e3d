import Addresses
import HTTPMessages
import MicroHTTP

/// The address that clients use: `https://example.com`. Only its scheme and its host matter.
struct PublicURL {
    let isSecure: Bool
    /// The host name or IP address (an IPv6 address in brackets), without the port.
    let host: String
    /// The port with its colon; empty without one.
    let port: String
    /// The scheme, the host and the port.
    let origin: String

    init?(_ text: String) {
        let address = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: address.hasPrefix) else { return nil }
        isSecure = scheme == "https://"
        let authority = address.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
        host = String(authority[..<(end ?? authority.firstIndex(of: ":") ?? authority.endIndex)])
        port = String(authority.dropFirst(host.count))
        origin = scheme + authority
        var hosts = AllowedHosts()
        guard (try? hosts.allow(host)) != nil, port.isEmpty || UInt16(port.dropFirst()) != nil else { return nil }
    }

    /// The host, if it is a domain and no IP address.
    var domain: String? { host.hasPrefix("[") || IPAddress(host) != nil ? nil : host }

    /// The origin as browsers write it: without the port if it is that of the scheme (RFC 6454 section 6.2).
    var browserOrigin: String {
        port == (isSecure ? ":443" : ":80") ? String(origin.dropLast(port.count)) : origin
    }
}
