@testable import UnderstudySessions

struct LiveSessionsTests {
    let clock = ManualClock()
    let store = LiveSessions(limits: SessionLimits())
    let address = IPAddress("192.0.2.1").map { AddressHash($0, key: Array(repeating: 1, count: 32)) }

    /// A store with other limits than the default ones.
    func limited(_ change: (inout SessionLimits) -> Void) -> LiveSessions {
        var limits = SessionLimits()
        change(&limits)
        return LiveSessions(limits: limits)
    }

    // MARK: Finding

    @Test func `a session is found by its id until it is removed, which can happen twice`() throws {
        let (one, other) = (try insert(1, store), try insert(2, store))
        #expect(store.find(one.id, at: clock.now) === one)
        #expect(store.find(try id(3), at: clock.now) == nil)
        for _ in 1...2 { store.remove(one) }
        #expect(store.find(one.id, at: clock.now) == nil)
        #expect(store.find(other.id, at: clock.now) === other)
        #expect(store.count == 1)
    }

    @Test func `a removed session is freed`() throws {
        weak var gone: Session?
        do {
            let session = try insert(1, store)
            gone = session
            store.remove(session)
        }
        #expect(gone == nil)
    }

    // MARK: Listing

    /// The numbers of the sessions of a page.
    func list(_ store: LiveSessions, after last: Int = 0, limit: Int = 100) -> [Int] {
        store.list(after: last, limit: limit, at: clock.now, shift: .zero) { _ in true }.map(\.number)
    }

    @Test func `sessions are listed page by page in the order in which they were started`() throws {
        let store = LiveSessions(limits: SessionLimits(), shards: 4)
        let sessions = try (1...100).map { try insert($0, store) }
        #expect(list(store) == Array(1...100))
        #expect(list(store, limit: 3) == [1, 2, 3])
        #expect(list(store, after: 3, limit: 3) == [4, 5, 6])
        #expect(list(store, after: 99, limit: 3) == [100])
        store.remove(sessions[4])
        // A use or another ID does not change the order.
        _ = store.find(sessions[0].id, at: clock.now)
        store.rename(sessions[1], to: try id(200))
        #expect(list(store, limit: 5) == [1, 2, 3, 4, 6])
        let even = store.list(after: 0, limit: 2, at: clock.now, shift: .zero) { $0.number % 2 == 0 }
        #expect(even.map(\.number) == [2, 4])
    }

    @Test func `a listed session has the time that people read, and an expired one is not listed`() throws {
        let start = clock.now
        let session = try insert(1, store)
        clock.advance(by: .seconds(60))
        _ = store.find(session.id, at: clock.now)
        let listed = store.list(after: 0, limit: 1, at: clock.now, shift: .seconds(5)) { _ in true }
        #expect(listed.map(\.id) == [session.id.bytes])
        #expect(listed.map(\.created) == [start + .seconds(5)])
        #expect(listed.map(\.lastUsed) == [start + .seconds(65)])
        clock.advance(by: .seconds(30 * 60))
        #expect(list(store) == [])
    }

    // MARK: Expiry

    @Test func `all expired sessions can be removed at once`() throws {
        let old = try (0..<2000).map { try insert($0, store) }
        clock.advance(by: .seconds(60))
        let used = try #require(old.first)
        _ = store.find(used.id, at: clock.now)
        let new = try (2000..<2100).map { try insert($0, store) }
        clock.advance(by: .seconds(29 * 60) - .milliseconds(1))
        store.removeExpired(at: clock.now)
        #expect(store.count == 2100)
        clock.advance(by: .milliseconds(1))
        store.removeExpired(at: clock.now)
        #expect(store.count == 101)
        #expect(old.dropFirst().allSatisfy { !$0.shardEntry.isStored })
        #expect((new + [used]).allSatisfy { $0.shardEntry.isStored })
        clock.advance(by: .seconds(60))
        store.removeExpired(at: clock.now)
        #expect(store.count == 0)
    }

    // MARK: The maximum

    @Test func `sessions used at the same instant end in the order of their use`() throws {
        for newcomer in 4...20 {
            let store = limited { $0.maximum = 3 }
            let sessions = [try insert(1, store), try insert(2, store), try insert(3, store)]
            #expect(store.find(sessions[0].id, at: clock.now) === sessions[0])
            _ = try insert(newcomer, store)
            #expect(sessions.map(\.shardEntry.isStored) == [true, false, true])
        }
    }

    @Test func `the sessions of an address that has ended some still count`() throws {
        let store = limited { $0.maximumPerAddress = 2 }
        let sessions = try (1...6).map { number in
            clock.advance(by: .seconds(1))
            let session = try insert(number, store, from: address)
            if number == 2 { store.remove(session) }
            return session
        }
        #expect(sessions.map(\.shardEntry.isStored) == [false, false, false, false, true, true])
        #expect(store.count == 2)
    }

    @Test func `lower limits end the sessions that exceed them, higher ones let more sessions start`() throws {
        var limits = SessionLimits()
        limits.maximum = 4
        limits.maximumPerAddress = nil
        let store = LiveSessions(limits: limits)
        let sessions = try (1...4).map { number in
            clock.advance(by: .seconds(60))
            return try insert(number, store, from: number == 4 ? nil : address)
        }
        limits.maximumPerAddress = 2
        store.reload(limits)
        #expect(sessions.map(\.shardEntry.isStored) == [false, true, true, true])
        limits.maximum = 2
        store.reload(limits)
        #expect(sessions.map(\.shardEntry.isStored) == [false, false, true, true])
        limits.idle = .seconds(30)
        store.reload(limits)
        #expect(store.find(try id(4), at: clock.now + .seconds(29)) === sessions[3])
        #expect(store.find(try id(3), at: clock.now) == nil)
        limits.idle = .seconds(3600)
        limits.maximum = 4
        store.reload(limits)
        for number in 5...7 { try insert(number, store) }
        #expect(store.count == 4)
        limits.lifetime = .seconds(1)
        store.reload(limits)
        #expect(store.find(try id(4), at: clock.now + .seconds(2)) == nil)
    }

    // MARK: A new id

    @Test(arguments: [(1, 17), (1, 2)])
    func `a new id invalidates the old one, and does not extend the session's lifetime`(before: Int, after: Int) throws
    {
        let session = try insert(before, store)
        let expiry = store.expiry(of: session)
        clock.advance(by: .seconds(60))
        store.rename(session, to: try id(after))
        #expect(store.expiry(of: session) == expiry)
        #expect(session.id == (try id(after)))
        #expect(store.find(try id(before), at: clock.now) == nil)
        #expect(store.find(try id(after), at: clock.now) === session)
        #expect(store.count == 1)
    }

    @Test func `an ended session cannot get a new id`() throws {
        let session = try insert(1, store)
        store.remove(session)
        store.rename(session, to: try id(2))
        #expect(store.find(try id(2), at: clock.now) == nil)
        #expect(store.count == 0)
    }

    /// The first id is in the same shard as the other session, the second is not; after that, the other way round.
    @Test(arguments: [(1, 17), (2, 33), (17, 2)])
    func `a new id does not count as use`(before: Int, after: Int) throws {
        let store = limited { $0.maximum = 2 }
        let session = try insert(before, store)
        clock.advance(by: .seconds(60))
        let used = try insert(49, store)
        store.rename(session, to: try id(after))
        clock.advance(by: .seconds(29 * 60))
        store.removeExpired(at: clock.now)
        #expect(!session.shardEntry.isStored)
        #expect(used.shardEntry.isStored)
    }

    // MARK: Replacing

    @Test func `a session that replaces another one is found among those of its user, with its browser`() throws {
        let session = Session(id: try id(1), now: clock.now)
        session.identity.restore(User(username: "ada", id: "7"), Browser("Firefox, Linux"))
        store.insert(session, at: clock.now)
        let found = store.sessions(ofUser: "7", at: clock.now, shift: .zero)
        #expect(found.map(\.browser) == ["Firefox, Linux"])
        store.replaceEach { Session(id: $0.id, now: $0.created) }
        #expect(store.sessions(ofUser: "7", at: clock.now, shift: .zero) == found)
        #expect(store.find(session.id, at: clock.now) !== session)
        #expect(!store.remove(session.id, ofUser: "8"))
        #expect(store.remove(session.id, ofUser: "7"))
        #expect(store.count == 0)
    }

    // MARK: From many threads

    @Test func `many tasks can use the store at once`() async throws {
        let store = limited { $0.maximum = 500 }
        let now = clock.now
        let ids = LockedValue<[SessionID]>([])
        try await concurrently(8) { task in
            var random = SequenceRandom(seed: UInt64(task))
            var own: [Session] = []
            for round in 0..<300 {
                let time = now + .milliseconds(round)
                switch Int.random(in: 0..<10, using: &random) {
                case 0...3:
                    let session = Session(id: SessionToken.random().id, now: time)
                    ids.append(session.id)
                    store.insert(session, at: time)
                    own.append(session)
                case 4 where !own.isEmpty:
                    store.remove(own.remove(at: Int.random(in: own.indices, using: &random)))
                case 5:
                    // Only its owner gives a session a new id, as if under the session's lock.
                    guard let session = own.randomElement(using: &random) else { break }
                    let id = SessionToken.random().id
                    ids.append(id)
                    store.rename(session, to: id)
                case 6:
                    store.removeExpired(at: time)
                default:
                    guard let id = ids.value.randomElement(using: &random) else { break }
                    _ = store.find(id, at: time)
                }
            }
        }
        #expect(ids.value.count { store.find($0, at: now) != nil } == store.count)
        #expect((1...500).contains(store.count))
        store.removeExpired(at: now + .seconds(60 * 60))
        #expect(store.count == 0)
    }

    // MARK: Helpers

    @discardableResult
    func insert(_ number: Int, _ store: LiveSessions, from address: AddressHash? = nil) throws -> Session {
        let session = Session(id: try id(number), now: clock.now, address: address)
        store.insert(session, at: clock.now)
        return session
    }

    /// An id in the same shard as the ids that are 16 before and after it.
    func id(_ number: Int) throws -> SessionID {
        let digits = String(number, radix: 16)
        return try #require(sessionToken("0".repeated(32 - digits.count) + digits)).id
    }
}
