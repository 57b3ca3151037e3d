import Accounts
import Addresses
import BusinessLogic
import MicroHTTP

/// The other sites and the apps that may use the passkeys of the site (WebAuthn section 5.11, and what Apple and Google require of apps).
struct PasskeySite {
    var relatedOrigins: [String] = []
    /// The iOS apps: `TEAMID.com.example.shop`.
    var appleApps: [String] = []
    /// The Android apps, with the SHA-256 fingerprints of their certificates.
    var androidApps: [AndroidApp] = []

    struct AndroidApp {
        let name: String
        let fingerprint: [UInt8]

        /// - Parameter text: `com.example.shop=14:6D:E9:…`.
        init(_ text: String) throws {
            let form = /([A-Za-z0-9_.]*\.[A-Za-z0-9_.]*)=((?:[0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2})/
            guard let match = text.wholeMatch(of: form) else {
                throw CommandError(
                    "'\(text)' is not a package and the SHA-256 fingerprint of its certificate, such as com.example.shop=14:6D:…"
                )
            }
            name = String(match.1)
            fingerprint = match.2.split(separator: ":").compactMap { UInt8($0, radix: 16) }
        }

        /// The origin that the app's responses contain.
        var origin: String { "android:apk-key-hash:\(fingerprint.base64URL)" }
    }

    static func relatedOrigins(_ list: String) throws -> [String] {
        try elements(of: list) { text in
            guard let url = PublicURL(text), url.isSecure, url.domain != nil, url.origin == text.lowercased()
            else { throw CommandError("'\(text)' is not the origin of a site, such as https://shop.example.de") }
            return url.browserOrigin
        }
    }

    static func appleApps(_ list: String) throws -> [String] {
        try elements(of: list) { text in
            guard text.wholeMatch(of: /[A-Z0-9]{10}\.[A-Za-z0-9.-]+/) != nil else {
                throw CommandError("'\(text)' is not a team and a bundle, such as A1B2C3D4E5.com.example.shop")
            }
            return text
        }
    }

    static func androidApps(_ list: String) throws -> [AndroidApp] { try elements(of: list) { try AndroidApp($0) } }

    private static func elements<Element>(of list: String, _ parse: (String) throws -> Element) throws -> [Element] {
        try list.split(separator: ",").map { try parse($0.filter { !$0.isWhitespace }) }
    }

    /// The site with its own address; `nil` if browsers have no passkeys for the address: it has no domain, or neither HTTPS nor the domain
    /// `localhost`.
    func relyingParty(_ url: PublicURL, title: String) -> RelyingParty? {
        guard let domain = url.domain, url.isSecure || domain == "localhost" else { return nil }
        let origins = [url.browserOrigin] + relatedOrigins + androidApps.map(\.origin)
        return RelyingParty(id: domain, name: title, origins: Set(origins))
    }

    /// The files that browsers and apps look for below `/.well-known/`, by their names; those with contents only.
    func files(origin address: String) -> [String: Value] {
        var files: [String: Value] = [:]
        if !relatedOrigins.isEmpty {
            files["webauthn"] = ["origins": .array(([address] + relatedOrigins).map(Value.string))]
        }
        if !appleApps.isEmpty {
            files["apple-app-site-association"] = ["webcredentials": ["apps": .array(appleApps.map(Value.string))]]
        }
        if !androidApps.isEmpty { files["assetlinks.json"] = .array(androidApps.map(Self.link)) }
        return files
    }

    private static func link(_ app: AndroidApp) -> Value {
        let digits = app.fingerprint.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        return [
            "relation": ["delegate_permission/common.get_login_creds", "delegate_permission/common.handle_all_urls"],
            "target": [
                "namespace": "android_app", "package_name": .string(app.name),
                "sha256_cert_fingerprints": [.string(digits.joined(separator: ":"))],
            ],
        ]
    }
}

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
        let rest = address.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        // A path is not ignored in silence.
        guard ["", "/"].contains(rest[authority.endIndex...]) else { return nil }
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
    var browserOrigin: String { port == (isSecure ? ":443" : ":80") ? String(origin.dropLast(port.count)) : origin }
}
