public import HTTPMessages
internal import Addresses

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

    func contains(_ address: IPAddress) -> Bool {
        networks.contains { $0.contains(address) }
    }

    /// Whether a connection comes from a trusted proxy.
    ///
    /// - Parameter peer: the address at the other end of the connection; `nil` for a Unix domain socket.
    func contains(peer: IPAddress?) -> Bool {
        peer.map(contains) ?? trustsUnixSockets
    }
}
