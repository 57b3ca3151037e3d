public import HTTPMessages
import Addresses

/// The hosts that a server accepts in requests: `localhost`, every IP address, and the names in a list.
///
/// The check protects a server that trusts its network from DNS rebinding. In this attack, the host name of another site suddenly
/// resolves to this server's address, so that a browser treats a page of that site and this server as one site.
public struct AllowedHosts: Equatable, Sendable {
    /// The names in lower case, without the dot that may end a host name.
    private var names: [[UInt8]] = [Array("localhost".utf8)]

    /// Allows `localhost` and all IP addresses.
    public init() {}

    /// Allows the host names of a comma-separated list, such as `app.example, intranet`, with `localhost` and all IP addresses.
    ///
    /// - Throws: `ListEntryError` for the first invalid entry. An empty list is an invalid entry.
    public init(_ list: String) throws(ListEntryError) {
        for entry in list.listEntries { try allow(entry) }
    }

    /// The host may end with a dot. Throws if it is neither a host name nor an IP address, for example because it has a port.
    package mutating func allow(_ host: String) throws(ListEntryError) {
        let bytes = ArraySlice(host.utf8)
        guard Self.isHost(bytes) else {
            throw ListEntryError(
                host,
                is: "not a host name: expected one such as app.example, without a scheme, a port, a path or '*'"
            )
        }
        names.append(bytes.withoutLastDot.map(\.lowercased))
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

    /// An IPv6 address must be in brackets.
    package static func isHost(_ text: ArraySlice<UInt8>) -> Bool {
        if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") {
            return IPAddress(text.dropFirst().dropLast()) != nil
        }
        let labels = text.withoutLastDot.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.count <= 254
            && labels.allSatisfy { (1...63).contains($0.count) && $0.allSatisfy(\.isLabelByte) }
    }
}

/// When a server checks the host that a request names.
///
/// The server never checks requests from trusted proxies, requests over Unix domain sockets, and requests that name no host.
public enum HostPolicy: Equatable, Sendable {
    /// If the server listens on a loopback address.
    case loopbackOnly(AllowedHosts)
    /// Always.
    case always(AllowedHosts)
    /// Never.
    case never

    /// `nil` if the server does not check. The address is the one that the server is bound to, as a number; empty for a Unix domain socket.
    func hosts(on address: String) -> AllowedHosts? {
        switch self {
        case .loopbackOnly(let hosts): IPAddress(address)?.isLoopback == true ? hosts : nil
        case .always(let hosts): hosts
        case .never: nil
        }
    }
}

extension UInt8 {
    fileprivate var isLabelByte: Bool { isDigit || isLetter || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }
}

extension ArraySlice<UInt8> {
    /// The dot at the end of a host name does not change which host it names.
    fileprivate var withoutLastDot: ArraySlice<UInt8> { last == UInt8(ascii: ".") ? dropLast() : self }
}
