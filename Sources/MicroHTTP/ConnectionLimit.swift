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

    private struct State {
        /// `nil` for no limit.
        var maximum: Int?
        var limitsLoopback = false
        var counts: [IPAddress: Int] = [:]

        mutating func apply(_ configuration: ServerConfiguration) {
            maximum = configuration.connectionsPerAddress.map { max(1, $0) }
            limitsLoopback = configuration.limitsLoopback
        }
    }

    private let trustedProxies: TrustedProxies
    private let state = Mutex(State())

    /// The limit in a configuration.
    init(_ configuration: ServerConfiguration) {
        trustedProxies = configuration.trustedProxies
        reload(configuration)
    }

    /// Applies the limit in another configuration to connections that are opened from now on. Its proxies do not change.
    func reload(_ configuration: ServerConfiguration) {
        state.withLock { $0.apply(configuration) }
    }

    /// Counts a connection from the address, if the limit admits it. `nil` is the address of a client of a Unix domain socket.
    func admit(_ address: IPAddress?) -> Admission {
        guard let address, !trustedProxies.contains(address) else { return .uncounted }
        return state.withLock { state in
            guard let maximum = state.maximum, state.limitsLoopback || !address.isLoopback else { return .uncounted }
            let count = state.counts[address.rateLimitPrefix, default: 0]
            guard count < maximum else { return .rejected }
            state.counts[address.rateLimitPrefix] = count + 1
            return .counted(Permit(address.rateLimitPrefix, in: self))
        }
    }

    /// The number of addresses with counted connections.
    var addressCount: Int { state.withLock(\.counts.count) }

    private func release(_ address: IPAddress) {
        state.withLock { state in
            let count = state.counts[address, default: 0] - 1
            state.counts[address] = count > 0 ? count : nil
        }
    }
}
