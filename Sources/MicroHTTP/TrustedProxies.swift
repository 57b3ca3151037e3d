internal import Addresses

/// The proxies that are believed when they say whom they speak for.
public struct TrustedProxies: Equatable, Sendable {
    private var networks: [IPNetwork] = []
    private var trustsUnixSockets = false

    /// Nobody.
    public init() {}

    /// Those in a list with commas between: addresses (`10.0.0.7`, `2001:db8::1`), networks (`10.0.0.0/8`), and `unix` for
    /// whoever comes by a Unix socket.
    public init(_ list: String) throws(TrustedProxiesError) {
        for part in Array(list.utf8).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let entry = String(decoding: part.trimmed, as: UTF8.self)
            if entry == "unix" {
                trustsUnixSockets = true
            } else if let network = IPNetwork(entry) {
                networks.append(network)
            } else {
                throw TrustedProxiesError(entry: entry)
            }
        }
    }

    func contains(_ address: IPAddress) -> Bool {
        networks.contains { $0.contains(address) }
    }

    /// Whether a connection comes from one of them.
    ///
    /// - Parameter peer: the address at its other end; `nil` for a Unix socket.
    func contains(peer: IPAddress?) -> Bool {
        peer.map(contains) ?? trustsUnixSockets
    }
}

/// Something in a list of proxies is neither an address nor a network.
public struct TrustedProxiesError: Error, Equatable, CustomStringConvertible {
    /// What it is instead.
    public let entry: String

    public var description: String {
        "'\(entry)' is neither an IP address nor a network (such as 10.0.0.0/8, with no bits behind those that count) nor 'unix'"
    }
}
