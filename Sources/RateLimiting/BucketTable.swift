import Addresses
import Synchronization

/// A token bucket for each address, in a fixed amount of memory.
///
/// Each address belongs to one set of eight buckets. If the set is full, a new address gets the bucket of the address that has used the
/// least. So a flood of addresses costs no more than other requests, and the table remembers an address that has used much. Each lock
/// protects a part of the sets, so that event loops seldom wait for each other.
final class BucketTable: Sendable {
    private struct Bucket {
        var address = IPAddress(high: 0, low: 0)
        /// When the bucket will be full, in microseconds since 1970; 0 if the bucket is unused.
        var full: Int64 = 0
    }

    /// Some of the sets, behind one lock.
    private final class Shard: Sendable {
        /// Created for the first address.
        let buckets = Mutex<[Bucket]>([])
    }

    private static let ways = 8

    private let shards: [Shard]
    private let setsOfShard: Int
    private let rejected = Atomic(0)

    /// Creates a table for about `maximum` addresses.
    init(maximum: Int) {
        let sets = (max(1, min(maximum, 1 << 30)) + Self.ways - 1) / Self.ways
        let count = min(64, sets)
        shards = (0..<count).map { _ in Shard() }
        setsOfShard = (sets + count - 1) / count
    }

    var rejectedCount: Int { rejected.load(ordering: .relaxed) }

    func countRejection() { rejected.add(1, ordering: .relaxed) }

    func removeAll() {
        for shard in shards { shard.buckets.withLock { $0 = [] } }
    }

    /// The addresses with when their buckets will be full, in microseconds since 1970, in any order.
    var used: [(address: IPAddress, full: Int64)] {
        shards.flatMap { shard in
            shard.buckets.withLock { buckets in buckets.filter { $0.full > 0 }.map { ($0.address, $0.full) } }
        }
    }

    /// Changes when each bucket in use will be full, in microseconds since 1970; 0 to free it.
    func changeAll(_ change: (inout Int64) -> Void) {
        for shard in shards {
            shard.buckets.withLock { buckets in
                for index in buckets.indices where buckets[index].full > 0 { change(&buckets[index].full) }
            }
        }
    }

    /// Changes when the bucket of an address will be full, in microseconds since 1970; 0 if the table has no bucket for the address.
    func change<Result>(_ address: IPAddress, _ change: (inout Int64) -> Result) -> Result {
        // Seeded for each process, so that a client cannot choose addresses of one set.
        var hash = UInt(bitPattern: address.hashValue)
        let shard = shards[Int(hash % UInt(shards.count))]
        hash /= UInt(shards.count)
        let start = Int(hash % UInt(setsOfShard)) * Self.ways
        return shard.buckets.withLock { buckets in
            if buckets.isEmpty { buckets = Array(repeating: Bucket(), count: setsOfShard * Self.ways) }
            var replaced = start
            for index in start..<(start + Self.ways) {
                if buckets[index].full > 0, buckets[index].address == address { return change(&buckets[index].full) }
                if buckets[index].full < buckets[replaced].full { replaced = index }
            }
            var full: Int64 = 0
            let result = change(&full)
            if full > 0 { buckets[replaced] = Bucket(address: address, full: full) }
            return result
        }
    }
}
