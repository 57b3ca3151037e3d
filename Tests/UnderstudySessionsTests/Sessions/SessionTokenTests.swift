@testable import UnderstudySessions

struct SessionTokenTests {
    @Test(arguments: [
        "0123456789abcdef0123456789abcdef", "00000000000000000000000000000000", "ffffffffffffffffffffffffffffffff",
        "80000000000000007fffffffffffffff", "00000000000000010000000000000000",
    ])
    func `a token is written as it was read`(text: String) {
        #expect(sessionToken(text)?.text == text)
    }

    @Test(arguments: [
        "", "0", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0",
        "0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef 123456789abcdef", "0123456789abcdefg123456789abcdef",
        "+123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcd\u{E9}", "0123456789abcde/0123456789abcde:",
        "0123456789abcde`0123456789abcdef", "0123456789abcdef0123456789abcde\0",
    ])
    func `another text is not a token`(text: String) { #expect(sessionToken(text) == nil) }

    @Test(arguments: 0..<32)
    func `each character of a token is a lowercase hexadecimal digit`(place: Int) {
        let accepted = (UInt8.min...UInt8.max).filter { byte in
            var text = "0123456789abcdef0123456789abcdef".bytes
            text[place] = byte
            return text.withUnsafeBytes { SessionToken($0) } != nil
        }
        #expect(accepted == "0123456789abcdef".bytes)
    }

    @Test func `random tokens differ in every character, although several tasks create them at the same time`()
        async throws
    {
        let tokens = try await concurrently(8) { _ in (1...500).map { _ in SessionToken.random().text } }.joined()
        #expect(Set(tokens).count == 4000)
        for place in 0..<32 { #expect(Set(tokens.map { $0.bytes[place] }).count == 16, "place \(place)") }
    }

    @Test func `a session's id is a hash that does not reveal the token`() throws {
        let token = try #require(sessionToken("0123456789abcdef0123456789abcdef"))
        #expect(token.id == sessionToken("0123456789abcdef0123456789abcdef")?.id)
        #expect(token.id != sessionToken("0123456789abcdef0123456789abcdee")?.id)
        #expect("\(token.id)".contains("0123456789abcdef") == false)
    }

    @Test func `an id always has the same shard, and its number is less than the count`() throws {
        let ids = (1...1000).map { _ in SessionToken.random().id }
        for id in ids {
            #expect(id.shard(of: 1) == 0)
            #expect((0..<16).contains(id.shard(of: 16)))
        }
        #expect(Set(ids.map { $0.shard(of: 16) }).count == 16)
        let largest = try #require(sessionToken("ffffffffffffffffffffffffffffffff")).id
        #expect((0..<7).contains(largest.shard(of: 7)))
    }
}
