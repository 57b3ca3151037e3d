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
    /// - Throws: ``AllowedOriginsError`` with the first invalid entry.
    public init(_ list: String) throws(AllowedOriginsError) {
        var origins: [String] = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            origins.append(try Self.origin(String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())))
        }
        self.origins = origins
    }

    /// Whether the value of an `Origin` header is allowed.
    func contains(_ origin: ArraySlice<UInt8>) -> Bool {
        origins.contains { origin.elementsEqual($0.utf8) }
    }

    private static func origin(_ text: String) throws(AllowedOriginsError) -> String {
        let lower = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix), lower.utf8.allSatisfy({ $0 < 0x80 })
        else { throw AllowedOriginsError(entry: text) }
        let authority = lower.dropFirst(scheme.count)
        let hostEnd = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
        let host = authority[..<(hostEnd ?? authority.firstIndex(of: ":") ?? authority.endIndex)]
        let port = authority[host.endIndex...]
        guard isHost(host), port.isEmpty || isPort(port) else { throw AllowedOriginsError(entry: text) }
        let usual = scheme == "https://" ? ":443" : ":80"
        return scheme + host + (port == usual ? "" : port)
    }

    private static func isHost(_ host: Substring) -> Bool {
        if host.hasPrefix("[") {
            let address = host.dropFirst().dropLast()
            return host.hasSuffix("]") && address.contains(":")
                && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        return host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        }
    }

    private static func isPort(_ port: Substring) -> Bool {
        guard let number = UInt16(port.dropFirst()), number > 0 else { return false }
        return port == ":\(number)"
    }
}

/// An entry in a list of origins is not a valid origin.
public struct AllowedOriginsError: Error, Equatable, CustomStringConvertible {
    /// The invalid entry.
    public let entry: String

    public var description: String {
        "'\(entry)' is not a valid origin: write http:// or https:// and a host, with a port if needed, without a path or '*'"
    }
}
