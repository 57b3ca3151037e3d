import Testing

@testable import Understudy

@Suite struct SessionIDTests {
    @Test(arguments: [
        "0123456789abcdef0123456789abcdef", "00000000000000000000000000000000", "ffffffffffffffffffffffffffffffff",
        "80000000000000007fffffffffffffff", "00000000000000010000000000000000",
    ])
    func `an id is written as it was read`(text: String) throws {
        let id = try #require(sessionID(text))
        #expect(id.text == text)
    }

    @Test(arguments: [
        "", "0", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0",
        "0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef 123456789abcdef", "0123456789abcdefg123456789abcdef",
        "+123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcd\u{E9}", "0123456789abcde/0123456789abcde:",
        "0123456789abcde`0123456789abcdef", "0123456789abcdef0123456789abcde\0",
    ])
    func `anything else is no id`(text: String) {
        #expect(sessionID(text) == nil)
    }

    @Test(arguments: 0..<32)
    func `every place takes the sixteen digits in lower case and no other byte`(place: Int) {
        let accepted = (UInt8.min...UInt8.max).filter { byte in
            var text = Array("0123456789abcdef0123456789abcdef".utf8)
            text[place] = byte
            return SessionID(text[...]) != nil
        }
        #expect(accepted == Array("0123456789abcdef".utf8))
    }

    @Test func `ids are the same where they are written the same`() throws {
        let text = "0123456789abcdef0123456789abcdef"
        #expect(sessionID(text) == sessionID(text))
        #expect(sessionID(text) != sessionID("0123456789abcdef0123456789abcdee"))
        #expect(sessionID(text) != sessionID("1123456789abcdef0123456789abcdef"))
    }

    @Test func `random ids differ in every place`() {
        let ids = (1...1000).map { _ in SessionID.random() }
        #expect(Set(ids).count == 1000)
        for place in 0..<32 {
            let digits = Set(ids.map { Array($0.text.utf8)[place] })
            #expect(digits.count == 16, "place \(place)")
        }
    }

    @Test func `a shard is below the count and the same for the same id`() throws {
        let ids = (1...1000).map { _ in SessionID.random() }
        for id in ids {
            #expect(id.shard(of: 1) == 0)
            #expect((0..<16).contains(id.shard(of: 16)))
            #expect(id.shard(of: 16) == sessionID(id.text)?.shard(of: 16))
        }
        #expect(Set(ids.map { $0.shard(of: 16) }).count == 16)
        let largest = try #require(sessionID("ffffffffffffffffffffffffffffffff"))
        #expect((0..<7).contains(largest.shard(of: 7)))
    }
}
