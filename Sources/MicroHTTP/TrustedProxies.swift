public import HTTPMessages
import Addresses

/// The proxies that a server trusts to report a client's address.
public struct TrustedProxies: Equatable, Sendable {
    private var networks: [IPNetwork] = []
    private var trustsUnixSockets = false

    /// Trusts no proxy.
    public init() {}

    /// Reads a comma-separated list of addresses (`10.0.0.7`, `2001:db8::1`), networks (`10.0.0.0/8`), and `unix` for all clients of
    /// a Unix domain socket.
    ///
    /// - Throws: `ListEntryError` for the first invalid entry. An empty list is an invalid entry.
    public init(_ list: String) throws(ListEntryError) {
        for entry in list.listEntries {
            if entry == "unix" {
                trustsUnixSockets = true
            } else if let network = IPNetwork(entry) {
                networks.append(network)
            } else {
                throw ListEntryError(
                    entry,
                    is: "neither an IP address nor a network (such as 10.0.0.0/8, whose address has only zeros after "
                        + "the prefix) nor 'unix'"
                )
            }
        }
    }

    func contains(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// The address at the other end of the connection is `nil` for a Unix domain socket.
    func contains(peer: IPAddress?) -> Bool { peer.map(contains) ?? trustsUnixSockets }

    /// The address of the client behind a trusted proxy, from `X-Forwarded-For`.
    ///
    /// Each proxy adds the address of its own client at the end of the list. So this reads the list from the end. The client is the first address
    /// that is not a trusted proxy. If the list ends before such an address, or contains an invalid element before it, the client is the last address
    /// read, or else the proxy's own: `nil` for a Unix domain socket.
    ///
    /// This never reads `Forwarded` (RFC 7239), because most proxies pass on that of a client unchanged.
    func client(behind peer: IPAddress?, _ headers: Headers) -> IPAddress? {
        var client: IPAddress?
        reading: for line in headers.values(.xForwardedFor).reversed() {
            for element in line.split(separator: UInt8(ascii: ",")).reversed().map(\.trimmed) where !element.isEmpty {
                guard let address = IPAddress(node: element) else { break reading }
                client = address
                if !contains(address) { break reading }
            }
        }
        return client ?? peer
    }
}

extension IPAddress {
    /// The address in an element, with or without a port: `192.0.2.1:80`, `[2001:db8::1]:80`; `nil` for `unknown` and all other texts.
    ///
    /// Accepts an IPv6 address without brackets, because many proxies write it so.
    fileprivate init?(node: ArraySlice<UInt8>) {
        var address = node
        if node.first == UInt8(ascii: "[") {
            guard let end = node.firstIndex(of: UInt8(ascii: "]")), node[(end + 1)...].isPort else { return nil }
            address = node[(node.startIndex + 1)..<end]
            guard address.contains(UInt8(ascii: ":")) else { return nil }
        } else if let colon = node.firstIndex(of: UInt8(ascii: ":")), node[..<colon].contains(UInt8(ascii: ".")) {
            guard node[colon...].isPort else { return nil }
            address = node[..<colon]
        }
        guard !address.contains(UInt8(ascii: "%")) else { return nil }
        self.init(address)
    }
}

extension ArraySlice<UInt8> {
    /// Whether this is empty, or a colon and a port.
    fileprivate var isPort: Bool {
        guard let first else { return true }
        let port = dropFirst()
        return first == UInt8(ascii: ":") && 1...5 ~= port.count && port.allSatisfy(\.isDigit)
    }
}
