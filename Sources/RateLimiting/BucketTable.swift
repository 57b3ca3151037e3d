internal import Addresses
internal import Synchronization

/// A token bucket for each address, in memory that does not grow.
///
/// An address has its place in one small set of buckets, and where that is full, the bucket goes that is least in arrears. So
/// a flood of addresses costs no more than any other requests, and makes nobody forgotten who has used up much. The sets are
/// spread over locks of their own, so that event loops seldom meet.
final class BucketTable: Sendable {
    private struct Bucket {
        var address = IPAddress(high: 0, low: 0)
        /// Microseconds since 1970 at which it will be full; 0 where it is nobody's.
        var full: Int64 = 0
    }

    /// Some of the sets, behind one lock.
    private final class Shard: Sendable {
        /// Made when the first address comes.
        let buckets = Mutex<[Bucket]>([])
    }

    private static let ways = 8

    private let shards: [Shard]
    private let setsOfShard: Int

    /// A table for about so many addresses.
    init(maximum: Int) {
        let sets = (max(1, min(maximum, 1 << 30)) + Self.ways - 1) / Self.ways
        let count = min(64, sets)
        shards = (0..<count).map { _ in Shard() }
        setsOfShard = (sets + count - 1) / count
    }

    /// Changes when the address's bucket will be full; that is 0 where nothing is known of the address.
    func change<Result>(_ address: IPAddress, _ change: (inout Int64) -> Result) -> Result {
        // Seeded for each process, so that nobody can choose addresses that meet in one set.
        var hash = UInt(bitPattern: address.hashValue)
        let shard = shards[Int(hash % UInt(shards.count))]
        hash /= UInt(shards.count)
        let start = Int(hash % UInt(setsOfShard)) * Self.ways
        return shard.buckets.withLock { buckets in
            if buckets.isEmpty { buckets = Array(repeating: Bucket(), count: setsOfShard * Self.ways) }
            var place = start
            for index in start..<(start + Self.ways) {
                if buckets[index].full > 0, buckets[index].address == address { return change(&buckets[index].full) }
                if buckets[index].full < buckets[place].full { place = index }
            }
            var full: Int64 = 0
            let result = change(&full)
            if full > 0 { buckets[place] = Bucket(address: address, full: full) }
            return result
        }
    }
}
