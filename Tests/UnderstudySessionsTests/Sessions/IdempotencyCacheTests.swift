import Foundation

@testable import UnderstudySessions

struct RepliesTests {
    @Test func `the last 16 responses are kept`() {
        var replies = IdempotencyCache()
        for number in 1...20 { replies.append(reply("\(number)")) }
        for number in 1...4 { #expect(replies["\(number)"] == nil) }
        for number in 5...20 { #expect(replies["\(number)"] == reply("\(number)")) }
    }

    @Test func `responses are unchanged after encoding and decoding`() throws {
        var replies = IdempotencyCache()
        for number in 1...17 { replies.append(reply("\(number)")) }
        #expect(try JSONDecoder().decode(IdempotencyCache.self, from: Data(try replies.stored.json)) == replies)
    }

    @Test(arguments: [
        ("login", #"{"a":2}"#), ("login", #"{"a":1} "#), ("login", ""), ("logi", #"n{"a":1}"#),
        ("login{", #""a":1}"#),
        ("Login", #"{"a":1}"#), ("", #"login{"a":1}"#),
    ])
    func `another body or page has another fingerprint, and the same ones have the same`(page: String, body: String) {
        #expect(fingerprint(page, body) != fingerprint("login", #"{"a":1}"#))
        #expect(fingerprint(page, body) == fingerprint(page, body))
    }

    @Test func `many bodies have distinct fingerprints`() {
        #expect(Set((0..<2000).map { fingerprint("login", #"{"password":"\#($0)"}"#) }).count == 2000)
    }

    func fingerprint(_ page: String, _ body: String) -> UInt32 {
        IdempotencyCache.fingerprint(page: page, body: body.bytes)
    }

    func reply(_ key: String) -> IdempotencyCache.Entry {
        IdempotencyCache.Entry(
            key: key,
            fingerprint: 7,
            content: .plain(.init(status: 200, language: nil, body: "answer to \(key)".bytes, preference: nil))
        )
    }
}
