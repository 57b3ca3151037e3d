public import BusinessLogic
import Synchronization

/// How often something may be done from one address: so many times at once, and again and again as time passes.
public struct Rate: Equatable, Sendable {
    /// How many times at once; at least 1.
    public let count: Int
    /// How long it takes until as many are allowed anew; longer than zero.
    public let interval: Duration

    /// So many times in an interval.
    public init(_ count: Int, per interval: Duration) {
        self.count = max(1, count)
        self.interval = max(.milliseconds(1), interval)
    }
}

/// Counts what comes from each address, as a token bucket. IPv6 addresses count by their /64, which is what one customer
/// of a provider has. Used from any number of tasks at once.
public final class AddressLimit: Sendable {
    private struct Bucket {
        /// Milliseconds since 1970 at which it will be full.
        var full: Int64
    }

    private let rate: Rate
    private let limitsLoopback: Bool
    private let maximumBuckets: Int
    private let buckets = Mutex<[String: Bucket]>([:])

    /// A limit.
    ///
    /// - Parameters:
    ///   - rate: how often.
    ///   - limitsLoopback: whether it also holds for this machine's own addresses, which are a proxy's or a developer's.
    ///   - maximumBuckets: how many addresses are remembered; beyond that those are forgotten that are least in arrears.
    public init(_ rate: Rate, limitsLoopback: Bool = false, maximumBuckets: Int = 100_000) {
        self.rate = rate
        self.limitsLoopback = limitsLoopback
        self.maximumBuckets = max(1, maximumBuckets)
    }

    /// Makes sure that the address has not used up what it may do.
    ///
    /// - Throws: `CollaboratorError.tooManyRequests`, with when it may do it again.
    public func check(_ address: String?, at now: Timestamp) throws(CollaboratorError) {
        guard let key = key(of: address), let full = buckets.withLock({ $0[key]?.full }) else { return }
        let wait = full + cost - capacity - now.milliseconds
        if wait > 0 { throw .tooManyRequests(retryAfter: .milliseconds(wait)) }
    }

    /// Counts something that the address has done.
    public func count(_ address: String?, at now: Timestamp) {
        guard let key = key(of: address) else { return }
        buckets.withLock { buckets in
            let full = max(buckets[key]?.full ?? 0, now.milliseconds)
            if buckets[key] == nil, buckets.count >= maximumBuckets { Self.makeRoom(in: &buckets, at: now) }
            buckets[key] = Bucket(full: min(full + cost, now.milliseconds + capacity))
        }
    }

    /// How many milliseconds something costs.
    private var cost: Int64 { max(1, capacity / Int64(rate.count)) }

    private var capacity: Int64 {
        let (seconds, attoseconds) = rate.interval.components
        return max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    private static func makeRoom(in buckets: inout [String: Bucket], at now: Timestamp) {
        buckets = buckets.filter { $0.value.full > now.milliseconds }
        guard buckets.count > 0 else { return }
        let half = buckets.values.map(\.full).sorted()[buckets.count / 2]
        buckets = buckets.filter { $0.value.full > half }
    }

    private func key(of address: String?) -> String? {
        guard let address else { return nil }
        if !limitsLoopback, address == "::1" || address.hasPrefix("127.") { return nil }
        return address.contains(":") ? Self.network(of: address) : address
    }

    /// The first four groups of an IPv6 address.
    private static func network(of address: String) -> String {
        let halves = address.prefix { $0 != "%" }.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
        let left = halves[0].split(separator: ":")
        guard left.count < 4, halves.count == 2 else { return left.prefix(4).joined(separator: ":") }
        let right = halves[1].split(separator: ":")
        let zeros = max(0, 8 - left.count - right.count)
        let groups = left.map(String.init) + Array(repeating: "0", count: zeros) + right.map(String.init)
        return groups.prefix(4).joined(separator: ":")
    }
}
