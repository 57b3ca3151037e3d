import Addresses
import BusinessLogic
import RateLimiting
import Testing

struct AddressLimitTests {
    let address = IPAddress("203.0.113.7")

    func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_000_000 + milliseconds) }

    /// How many of `count` uses at once are allowed.
    func allowed(_ limit: AddressLimit, _ address: String?, at milliseconds: Int64, of count: Int = 100) -> Int {
        let now = time(milliseconds)
        return (0..<count).count { _ in limit.take(address.flatMap { IPAddress($0) }, at: now) == nil }
    }

    @Test func `the full count is allowed at once, and one more after each share of the interval`() {
        let limit = AddressLimit(Rate(5, per: .seconds(50)))
        for (time, count) in [(0, 5), (9_999, 0), (10_000, 1), (30_000, 2), (1_000_000, 5)] as [(Int64, Int)] {
            #expect(allowed(limit, "203.0.113.7", at: time) == count, "\(time)")
        }
    }

    @Test func `the addresses with the most uses come first, and one that may do all again is not among them`() {
        let limit = AddressLimit(Rate(5, per: .seconds(50)))
        for (address, count) in [("203.0.113.7", 2), ("2001:db8::1", 3), ("203.0.113.9", 1)] {
            #expect(allowed(limit, address, at: 0, of: count) == count)
        }
        func most(_ count: Int, at now: Timestamp) -> [String] {
            limit.mostUsed(count, at: now).map { "\($0.address) \($0.uses)" }
        }
        #expect(most(2, at: time(0)) == ["2001:db8:: 3", "203.0.113.7 2"])
        #expect(most(10, at: time(10_000)) == ["2001:db8:: 2", "203.0.113.7 1"])
        #expect(most(10, at: time(30_000)) == [])
        // The time can be set back.
        #expect(most(10, at: time(-500_000)).count { $0.hasSuffix(" 5") } == 3)
    }

    @Test func `after a reset, each address may do everything again`() {
        let limit = AddressLimit(Rate(5, per: .seconds(50)))
        for address in ["203.0.113.7", "203.0.113.8"] { #expect(allowed(limit, address, at: 0) == 5) }
        limit.reset()
        // Also if the time is set back.
        for address in ["203.0.113.7", "203.0.113.8"] { #expect(allowed(limit, address, at: -500_000) == 5) }
    }

    @Test func `a limit that replaces another one counts its uses`() {
        let former = AddressLimit(Rate(5, per: .seconds(50)))
        #expect(allowed(former, "203.0.113.7", at: 0) == 5)
        #expect(allowed(former, "203.0.113.8", at: 0, of: 2) == 2)
        let higher = AddressLimit(Rate(8, per: .seconds(16))).replacing(former, at: time(0))
        #expect(allowed(higher, "203.0.113.7", at: 0) == 3)
        #expect(allowed(higher, "203.0.113.8", at: 0) == 6)
        #expect(allowed(higher, "203.0.113.7", at: 2000) == 1)
        let lower = AddressLimit(Rate(2, per: .seconds(20))).replacing(higher, at: time(2000))
        #expect(allowed(lower, "203.0.113.7", at: 2000) == 0)
        #expect(allowed(lower, "203.0.113.9", at: 2000) == 2)
        #expect(allowed(lower, "203.0.113.7", at: 12_000) == 1)
        #expect(lower.rejectedCount == former.rejectedCount)
        let same = AddressLimit(Rate(2, per: .seconds(20)), limitsLoopback: true).replacing(lower, at: time(12_000))
        #expect(allowed(same, "203.0.113.7", at: 12_000) == 0)
        #expect(allowed(same, "127.0.0.1", at: 12_000) == 2)
    }

    @Test func `each address is counted separately, IPv6 addresses by their first 64 bits`() {
        let limit = AddressLimit(Rate(1, per: .seconds(10)))
        #expect(allowed(limit, "203.0.113.7", at: 0) == 1)
        #expect(allowed(limit, "203.0.113.8", at: 0) == 1)
        #expect(allowed(limit, "2001:db8:0:1::1", at: 0) == 1)
        for same in ["2001:db8:0:1::2", "2001:db8:0:1:a:b:c:d", "2001:db8:0:1:ffff::", "2001:db8:0:1::%eth0"] {
            #expect(allowed(limit, same, at: 0) == 0, "\(same)")
        }
        for other in ["2001:db8::1", "2001:db8:0:2::1", "2001:db8:1::1", "fe80::1", "::2"] {
            #expect(allowed(limit, other, at: 0) == 1, "\(other)")
        }
        #expect(allowed(limit, "2001:db8::2", at: 0) == 0)
    }

    @Test(arguments: ["127.0.0.1", "127.8.9.10", "::1", nil])
    func `loopback addresses are limited only if requested, and requests without an address never`(address: String?) {
        #expect(allowed(AddressLimit(Rate(1, per: .seconds(10))), address, at: 0) == 100)
        let limit = AddressLimit(Rate(1, per: .seconds(10)), limitsLoopback: true)
        #expect(allowed(limit, address, at: 0) == (address == nil ? 100 : 1))
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `an address that a trusted proxy reports is limited, even a loopback address`(address: String) {
        let limit = AddressLimit(Rate(1, per: .seconds(10)))
        #expect(limit.take(IPAddress(address), isForwarded: true, at: time(0)) == nil)
        #expect(limit.take(IPAddress(address), isForwarded: true, at: time(0)) == .seconds(10))
        limit.giveBack(IPAddress(address), isForwarded: true)
        #expect(limit.take(IPAddress(address), isForwarded: true, at: time(0)) == nil)
        #expect(limit.take(IPAddress(address), at: time(0)) == nil)
    }

    @Test func `a use that was given back can be taken again`() {
        let limit = AddressLimit(Rate(2, per: .seconds(20)))
        for _ in 1...2 { #expect(limit.take(address, at: time(0)) == nil) }
        limit.giveBack(address)
        #expect(limit.take(address, at: time(0)) == nil)
        #expect(limit.take(address, at: time(0)) == .seconds(10))
        for _ in 1...9 { limit.giveBack(address) }
        limit.giveBack(IPAddress("203.0.113.8"))
        limit.giveBack(nil)
        for address in ["203.0.113.7", "203.0.113.8"] {
            #expect(allowed(limit, address, at: 0) == 2)
        }
    }

    @Test func `above the maximum, the limit forgets the addresses that have used up the least`() {
        let limit = AddressLimit(Rate(10, per: .seconds(1000)), maximumBuckets: 100)
        #expect(allowed(limit, "203.0.113.7", at: 0) == 10)
        for index in 0..<1000 { _ = limit.take(IPAddress("198.51.\(index / 250).\(index % 250)"), at: time(0)) }
        #expect(allowed(limit, "203.0.113.7", at: 0) == 0)
    }

    @Test func `a use that is not allowed is told when the next one is`() {
        let limit = AddressLimit(Rate(2, per: .seconds(20)))
        for wait: Duration? in [nil, nil, .seconds(10)] { #expect(limit.take(address, at: time(0)) == wait) }
        #expect(limit.take(address, at: time(3000)) == .seconds(7))
    }

    @Test(arguments: [(7, 1), (1200, 60), (300_000, 1), (1_000_000, 1), (3, 1_000_000_000)])
    func `every rate allows its count at once`(count: Int, seconds: Int64) {
        let limit = AddressLimit(Rate(count, per: .seconds(seconds)))
        let now = time(0)
        #expect((0..<count).allSatisfy { _ in limit.take(address, at: now) == nil })
        #expect(limit.take(address, at: now) != nil)
    }

    @Test func `a clock that is set back locks an address out for at most the interval`() throws {
        let limit = AddressLimit(Rate(1, per: .seconds(10)))
        #expect(limit.take(address, at: time(900_000)) == nil)
        #expect(try #require(limit.take(address, at: time(0))) <= .seconds(10))
        #expect(limit.take(address, at: time(10_000)) == nil)
    }

    @Test(arguments: [("203.0.113.7", 1), ("2001:db8::1", 1), ("127.0.0.1", 0), ("::1", 0), (nil, 0)])
    func `the time is not read if the limit does not apply`(address: String?, count: Int) {
        var asked = 0
        func now() -> Timestamp {
            asked += 1
            return time(0)
        }
        #expect(AddressLimit(Rate(1, per: .seconds(10))).take(address.flatMap { IPAddress($0) }, at: now()) == nil)
        #expect(asked == count)
    }
}
