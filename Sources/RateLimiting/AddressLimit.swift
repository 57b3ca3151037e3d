public import Addresses
public import BusinessLogic

/// Limits how often clients of one address may do something: a token bucket for each address.
///
/// IPv6 addresses count by their /64 network, because one customer of a provider has all addresses of such a network. Any number of
/// tasks may use a limit at the same time.
public final class AddressLimit: Sendable {
    /// How often clients of one address may do something.
    public let rate: Rate
    private let limitsLoopback: Bool
    private let buckets: BucketTable
    /// How many microseconds each use costs.
    private let cost: Int64
    /// How many microseconds may be spent at once.
    private let capacity: Int64

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - rate: how often clients of one address may do something.
    ///   - limitsLoopback: whether the limit applies to loopback addresses, which are those of a proxy or a developer on this machine.
    ///   - maximumBuckets: about how many addresses the limit stores at most. Beyond that, it forgets those that have used the least.
    public convenience init(_ rate: Rate, limitsLoopback: Bool = false, maximumBuckets: Int = 100_000) {
        self.init(rate, limitsLoopback: limitsLoopback, BucketTable(maximum: maximumBuckets))
    }

    private init(_ rate: Rate, limitsLoopback: Bool, _ buckets: BucketTable) {
        self.rate = rate
        self.limitsLoopback = limitsLoopback
        self.buckets = buckets
        cost = max(1, rate.interval.microseconds / Int64(rate.count))
        capacity = cost * Int64(rate.count)
    }

    /// A limit like this one that replaces another one: the uses that the other one has counted, and counts from now on, count for it. The
    /// time is that of a clock that is never set.
    package func replacing(_ other: AddressLimit, at now: Timestamp) -> AddressLimit {
        if rate != other.rate {
            let start = now.microseconds
            let factor = Double(cost) / Double(other.cost)
            other.buckets.changeAll { full in
                let spent = min(Double(max(0, full - start)) * factor, Double(capacity))
                full = spent > 0 ? start + Int64(spent) : 0
            }
        }
        return AddressLimit(rate, limitsLoopback: limitsLoopback, other.buckets)
    }

    /// Counts one use for the address if it is below the limit.
    ///
    /// - Parameters:
    ///   - address: the client's IP address; `nil` is not limited.
    ///   - isForwarded: whether a trusted proxy reported the address, which is then never exempt.
    ///   - now: the time, by a clock that is never set: ``/BusinessLogic/WallClock/steady``. It is evaluated only if the limit applies to
    ///     the address.
    /// - Returns: how long the address must wait; `nil` if the use is allowed now.
    public func take(
        _ address: IPAddress?,
        isForwarded: Bool = false,
        at now: @autoclosure () -> Timestamp
    ) -> Duration? {
        guard let key = key(of: address, isForwarded) else { return nil }
        let now = now()
        let start = now.microseconds
        let wait = buckets.change(key) { full in
            let wait = self.wait(&full, at: now)
            if wait <= 0 { full = max(full, start) + cost }
            return wait
        }
        guard wait > 0 else { return nil }
        buckets.countRejection()
        return .microseconds(wait)
    }

    /// Takes back one counted use, so that the address may do it again.
    ///
    /// Call it at most once for each call of ``take(_:isForwarded:at:)`` that returned `nil`, with the same arguments.
    ///
    /// - Parameters:
    ///   - address: the client's IP address.
    ///   - isForwarded: whether a trusted proxy reported the address.
    public func giveBack(_ address: IPAddress?, isForwarded: Bool = false) {
        guard let key = key(of: address, isForwarded) else { return }
        buckets.change(key) { $0 = max(0, $0 - cost) }
    }

    /// How often the limit, those that it has replaced, and those that have replaced it, have rejected a use.
    package var rejectedCount: Int { buckets.rejectedCount }

    /// The addresses that have used most of the limit, those with the most uses first: at most `count`.
    package func mostUsed(_ count: Int, at now: Timestamp) -> [(address: IPAddress, uses: Int)] {
        let start = now.microseconds
        let used = buckets.used.map { address, full -> (address: IPAddress, uses: Int) in
            let spent = min(max(0, full - start), capacity)
            return (address, Int((spent + cost - 1) / cost))
        }
        return Array(used.filter { $0.uses > 0 }.sorted { $0.uses > $1.uses }.prefix(count))
    }

    /// Forgets all uses, as if the limit were new.
    package func reset() { buckets.removeAll() }

    /// How many microseconds it takes until there is room for one more use. `full` becomes earlier if the clock was set back.
    private func wait(_ full: inout Int64, at now: Timestamp) -> Int64 {
        full = min(full, now.microseconds + capacity)
        return full + cost - capacity - now.microseconds
    }

    private func key(of address: IPAddress?, _ isForwarded: Bool) -> IPAddress? {
        guard let address, limitsLoopback || isForwarded || !address.isLoopback else { return nil }
        return address.rateLimitPrefix
    }
}

extension Timestamp {
    fileprivate var microseconds: Int64 { milliseconds * 1000 }
}

extension Duration {
    /// Whole microseconds, at most those of 100 years.
    fileprivate var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(seconds, 36_525 * 86_400) * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
