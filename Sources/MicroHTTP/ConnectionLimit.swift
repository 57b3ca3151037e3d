internal import Addresses
internal import Synchronization

/// How many connections there may be from one address at once, over all event loops. IPv6 addresses count by their /64.
final class ConnectionLimit: Sendable {
    /// Permission for one connection of an address. Deinitialising it returns the permit.
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
        /// It may, and is not counted.
        case uncounted
        /// The limit admits the connection, which holds this permit.
        case counted(Permit)
        /// It may not.
        case rejected
    }

    private let maximum: Int
    private let limitsLoopback: Bool
    private let trustedProxies: TrustedProxies
    private let counts = Mutex<[IPAddress: Int]>([:])

    /// The limit of a configuration; `nil` where it has none.
    init?(_ configuration: ServerConfiguration) {
        guard let maximum = configuration.connectionsPerAddress else { return nil }
        self.maximum = max(1, maximum)
        limitsLoopback = configuration.limitsLoopback
        trustedProxies = configuration.trustedProxies
    }

    /// Whether another connection may be opened from the address; `nil` where there is no network between.
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

    /// How many addresses have connections that are counted.
    var addressCount: Int { counts.withLock(\.count) }

    private func release(_ address: IPAddress) {
        counts.withLock { counts in
            let count = counts[address, default: 0] - 1
            counts[address] = count > 0 ? count : nil
        }
    }
}
