internal import Addresses

/// The hosts that a server accepts in requests: `localhost`, every IP address, and the names in a list.
///
/// Checking them protects a server that trusts its network from DNS rebinding: a page of another site, whose host name
/// suddenly resolves to this server's address, would otherwise be the same site for the browser.
public struct AllowedHosts: Equatable, Sendable {
    /// In lower case, and without the dot that may end a host name.
    private var names: [[UInt8]] = [Array("localhost".utf8)]

    /// `localhost` and IP addresses.
    public init() {}

    /// Reads a comma-separated list of host names, `app.example, intranet`, which are allowed with `localhost` and IP addresses.
    public init(_ list: String) throws(AllowedHostsError) {
        for part in Array(list.utf8).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let entry = part.trimmed
            guard Self.isHost(entry) else { throw AllowedHostsError(entry: String(decoding: entry, as: UTF8.self)) }
            names.append(Self.key(of: entry))
        }
    }

    /// Allows another host, which may end with a dot.
    public mutating func allow(_ host: String) throws(AllowedHostsError) {
        guard Self.isHost(Array(host.utf8)[...]) else { throw AllowedHostsError(entry: host) }
        names.append(Self.key(of: Array(host.utf8)[...]))
    }

    /// Whether a `Host` header, with or without a port, names an allowed host.
    func contains(authority: some Collection<UInt8>) -> Bool {
        let bytes = ArraySlice(authority)
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return false }
            return IPAddress(bytes[..<end].dropFirst()) != nil
        }
        let host = bytes.prefix { $0 != UInt8(ascii: ":") }.withoutLastDot
        return names.contains { host.equalsIgnoringCase($0) } || IPAddress(host) != nil
    }

    private static func key(of host: ArraySlice<UInt8>) -> [UInt8] {
        host.withoutLastDot.map(\.lowercased)
    }

    /// Whether it is a host name, or an IP address (of IPv6 in brackets).
    private static func isHost(_ text: ArraySlice<UInt8>) -> Bool {
        if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") {
            return IPAddress(text.dropFirst().dropLast()) != nil
        }
        let labels = text.withoutLastDot.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.count <= 254
            && labels.allSatisfy { label in
                (1...63).contains(label.count)
                    && label.allSatisfy {
                        $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                    }
            }
    }
}

/// An entry in a list of hosts is not a host name.
public struct AllowedHostsError: Error, Equatable, CustomStringConvertible {
    /// The entry.
    public let entry: String

    public var description: String {
        "'\(entry)' is not a host name: expected one such as app.example, without a scheme, a port, a path or '*'"
    }
}

/// When a server checks for which host a request is.
///
/// It never checks requests from trusted proxies or over Unix domain sockets.
public enum HostPolicy: Equatable, Sendable {
    /// If the server listens on a loopback address.
    case loopbackOnly(AllowedHosts)
    /// Always.
    case always(AllowedHosts)
    /// Never.
    case never

    /// The hosts to check against; `nil` if the server does not check.
    ///
    /// - Parameter address: the address that the server is bound to, as a number; empty for a Unix domain socket.
    func hosts(on address: String) -> AllowedHosts? {
        switch self {
        case .loopbackOnly(let hosts): IPAddress(address)?.isLoopback == true ? hosts : nil
        case .always(let hosts): hosts
        case .never: nil
        }
    }
}

extension ArraySlice<UInt8> {
    /// The host name without the dot that may end it: with and without, it is the same name.
    fileprivate var withoutLastDot: ArraySlice<UInt8> {
        last == UInt8(ascii: ".") ? dropLast() : self
    }
}
