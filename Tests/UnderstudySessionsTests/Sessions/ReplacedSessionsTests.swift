@testable import UnderstudySessions

struct ReplacedSessionsTests {
    let now = ManualClock().now
    let ids = (1...12).map { _ in SessionToken.random().id }

    @Test func `the ID that a login has replaced is known for a minute, also while others are replaced`() {
        let sessions = ReplacedSessions()
        for (index, id) in ids.prefix(4).enumerated() { sessions.add(id, nil, at: now + .seconds(index * 40)) }
        for (index, id) in ids.prefix(4).enumerated() {
            #expect(sessions.find(id, at: now + .milliseconds(index * 40_000 + 59_999)) != nil)
            #expect(sessions.find(id, at: now + .seconds(index * 40 + 60)) == nil)
        }
        #expect(sessions.find(ids[4], at: now) == nil)
    }

    @Test func `of more IDs than fit, the latest half at least is known`() {
        let sessions = ReplacedSessions(maximumCount: 4)
        for (index, id) in ids.enumerated() {
            sessions.add(id, nil, at: now)
            let known = ids.map { sessions.find($0, at: now) != nil }
            #expect(known[...index].suffix(2).allSatisfy { $0 })
            #expect(known.count { $0 } <= 4)
        }
    }

    @Test func `of more responses than fit, the latest one is known`() throws {
        let content = SealedResponse.Content(status: 200, headers: [], body: Array(repeating: 1, count: 1000))
        let response = try #require(SealedResponse(content, token: .random(), key: "a", request: []))
        let sessions = ReplacedSessions(maximumSize: response.size * 4)
        for id in ids {
            sessions.add(id, response, at: now)
            #expect(sessions.find(id, at: now)?.response == response)
            #expect(ids.count { sessions.find($0, at: now) != nil } <= 4)
        }
        #expect(ids.count { sessions.find($0, at: now) != nil } == 4)
    }
}

struct RevocationLogTests {
    @Test func `of more revocations than fit, the latest half is known, and before it all may have ended`() {
        let log = RevocationLog(maximum: 4)
        for number in 1...4 { log.add("\(number)") }
        #expect(!log.hasEnded("5", since: 0))
        #expect(log.hasEnded("4", since: 3))
        #expect(!log.hasEnded("4", since: 4))
        log.add("5")
        #expect(log.last == 5)
        #expect(log.hasEnded("6", since: 2))
        #expect(!log.hasEnded("6", since: 3))
        #expect(log.hasEnded("4", since: 3))
        #expect(!log.hasEnded("3", since: 3))
    }
}
