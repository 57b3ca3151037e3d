import Addresses
import Testing

@testable import RateLimiting

struct BucketTableTests {
    func address(_ number: Int) -> IPAddress { IPAddress(high: 0x2001_0DB8_0000_0000 + UInt64(number), low: 0) }

    func full(_ number: Int, in table: BucketTable) -> Int64 { table.change(address(number)) { $0 } }

    @Test func `each address has a value, which is 0 until it is changed`() {
        let table = BucketTable(maximum: 1000)
        #expect(full(1, in: table) == 0)
        #expect(table.change(address(1)) { $0 = 7 } == ())
        #expect(full(1, in: table) == 7)
        #expect(full(2, in: table) == 0)
        table.change(address(1)) { $0 += 1 }
        #expect(full(1, in: table) == 8)
    }

    @Test(arguments: [1, 8, 9, 100, 10_000]) func `the table stores about as many addresses`(maximum: Int) {
        let table = BucketTable(maximum: maximum)
        for number in 0..<20_000 { table.change(address(number)) { $0 = 1 } }
        let count = (0..<20_000).count { full($0, in: table) > 0 }
        // The table rounds up to whole sets of 8, with the same number of sets behind each of at most 64 locks.
        #expect((1...(maximum + 8 * 64)).contains(count))
        if maximum >= 100 { #expect(count >= maximum / 2) }
    }

    @Test func `in a full set, the address that has used up the least is forgotten`() {
        let table = BucketTable(maximum: 8)
        for number in 1...8 { table.change(address(number)) { $0 = Int64(100 + number) } }
        for number in 1000..<2000 { table.change(address(number)) { $0 = 50 } }
        #expect((1...8).map { full($0, in: table) } == [0, 102, 103, 104, 105, 106, 107, 108])
    }

    @Test func `simultaneous changes are not lost`() async {
        let table = BucketTable(maximum: 1000)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for number in 0..<10_000 { table.change(address(number % 10)) { $0 += 1 } }
                }
            }
        }
        #expect((0..<10).allSatisfy { full($0, in: table) == 8000 })
    }
}
