import Addresses
import Synchronization

/// Limits the simultaneous connections from one address, over all event loops. IPv6 addresses count by their /64 network.
final class ConnectionLimit: Sendable {
    /// The permission for one connection, which must keep it until it closes. Its deinitialiser returns it.
    final class Permit: Sendable {
        private let limit: ConnectionLimit
        /// `nil` if the limit does not apply to the connection.
        let address: IPAddress?

        fileprivate init(_ address: IPAddress?, in limit: ConnectionLimit) {
            self.address = address
            self.limit = limit
        }

        deinit {
            if let address { limit.release(address) }
        }
    }

    private struct State {
        /// `nil` for no limit.
        var maximum: Int?
        var limitsLoopback = false
        var counts: [IPAddress: Int] = [:]
    }

    private let trustedProxies: TrustedProxies
    private let state = Mutex(State())

    init(_ configuration: ServerConfiguration) {
        trustedProxies = configuration.trustedProxies
        reload(configuration)
    }

    /// Applies to connections that are opened from now on. The proxies do not change.
    func reload(_ configuration: ServerConfiguration) {
        state.withLock { state in
            state.maximum = configuration.connectionsPerAddress.map { max(1, $0) }
            state.limitsLoopback = configuration.limitsLoopback
        }
    }

    /// Returns `nil` if the address has too many connections. The address is `nil` for a client of a Unix domain socket.
    func admit(_ address: IPAddress?) -> Permit? {
        guard let address, !trustedProxies.contains(address) else { return Permit(nil, in: self) }
        return state.withLock { state in
            guard let maximum = state.maximum, state.limitsLoopback || !address.isLoopback else {
                return Permit(nil, in: self)
            }
            let count = state.counts[address.rateLimitPrefix, default: 0]
            guard count < maximum else { return nil }
            state.counts[address.rateLimitPrefix] = count + 1
            return Permit(address.rateLimitPrefix, in: self)
        }
    }

    var addressCount: Int { state.withLock(\.counts.count) }

    private func release(_ address: IPAddress) {
        state.withLock { state in
            let count = state.counts[address, default: 0] - 1
            state.counts[address] = count > 0 ? count : nil
        }
    }
}
