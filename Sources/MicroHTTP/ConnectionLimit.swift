internal import Addresses
internal import Synchronization

/// Limits the simultaneous connections from one address, over all event loops. IPv6 addresses count by their /64 network.
final class ConnectionLimit: Sendable {
    /// The permission for one connection of an address. Its deinitialiser returns it.
    final class Permit: Sendable {
        private let limit: ConnectionLimit
        private let address: IPAddress

        fileprivate init(_ address: IPAddress, in limit: ConnectionLimit) {
            self.address = address
            self.limit = limit
        }

        deinit {
            limit.release(address)
        }
    }

    /// Whether a connection may be opened.
    enum Admission {
        /// The limit does not apply to the address.
        case uncounted
        /// The limit admits the connection, which must keep this permit until it closes.
        case counted(Permit)
        /// The address has too many connections.
        case rejected
    }

    private let maximum: Int
    private let limitsLoopback: Bool
    private let trustedProxies: TrustedProxies
    private let counts = Mutex<[IPAddress: Int]>([:])

    /// The limit in a configuration; `nil` if the configuration has none.
    init?(_ configuration: ServerConfiguration) {
        guard let maximum = configuration.connectionsPerAddress else { return nil }
        self.maximum = max(1, maximum)
        limitsLoopback = configuration.limitsLoopback
        trustedProxies = configuration.trustedProxies
    }

    /// Counts a connection from the address, if the limit admits it. `nil` is the address of a client of a Unix domain socket.
    func admit(_ address: IPAddress?) -> Admission {
        guard let address, limitsLoopback || !address.isLoopback, !trustedProxies.contains(address) else {
            return .uncounted
        }
        let isAdmitted = counts.withLock { counts in
            let count = counts[address.rateLimitPrefix, default: 0]
            guard count < maximum else { return false }
            counts[address.rateLimitPrefix] = count + 1
            return true
        }
        return isAdmitted ? .counted(Permit(address.rateLimitPrefix, in: self)) : .rejected
    }

    /// The number of addresses with counted connections.
    var addressCount: Int { counts.withLock(\.count) }

    private func release(_ address: IPAddress) {
        counts.withLock { counts in
            let count = counts[address, default: 0] - 1
            counts[address] = count > 0 ? count : nil
        }
    }
}
