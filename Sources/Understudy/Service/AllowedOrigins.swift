public import HTTPMessages
internal import MicroHTTP

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

    /// The origins in a comma-separated list.
    ///
    /// - Parameter kind: what the entries are, in the error.
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

    /// Whether the value of an `Origin` header is allowed.
    func contains(_ origin: ArraySlice<UInt8>) -> Bool {
        origins.contains { origin.elementsEqual($0.utf8) }
    }

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
