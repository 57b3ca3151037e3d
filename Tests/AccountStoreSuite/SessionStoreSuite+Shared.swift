extension SessionStoreSuite {
    /// A change of a session whose bytes are all different from those of other numbers.
    public static func change(
        _ number: Int,
        version: Int = 0,
        user: String? = nil,
        lastUsed: Int64 = 2_000,
        token: UInt8 = 1,
        oldestEvent: Int = 0,
        key: String? = nil,
        userChange: SessionChange.UserChange? = nil
    ) -> SessionChange {
        SessionChange(
            session: session(number, user: user, lastUsed: lastUsed, key: key),
            version: version,
            token: Array(repeating: token &+ UInt8(truncatingIfNeeded: version), count: 16),
            event: event(version),
            oldestEvent: oldestEvent,
            userChange: userChange
        )
    }

    /// A login in an existing session, whose ID it replaces.
    static func login(
        _ number: Int,
        replacing former: Int?,
        version: Int = 1,
        user: String? = "ada",
        response: [UInt8]? = nil,
        lastRevocation: Int = 0
    ) -> SessionChange {
        change(
            number,
            version: version,
            user: user,
            userChange: SessionChange.UserChange(
                replacedID: former.map { session($0).id },
                response: response,
                time: .ms(5_000),
                lastRevocation: lastRevocation
            )
        )
    }

    static func event(_ version: Int) -> [UInt8] { "{\"event\":\(version),\"text\":\"\u{0}é\"}".bytes }

    static let logins = [(1, "ada"), (2, "ada"), (3, "bob")].map { number, user in
        login(number, replacing: nil, version: 0, user: user)
    }

    static func id(_ number: Int) -> [UInt8] { session(number).id }

    /// Expects a session with that version, which was last used at that time.
    static func expectUse(
        of number: Int,
        version: Int,
        at milliseconds: Int64,
        in store: any SessionStore
    ) async throws {
        #expect(try await store.find(number, unlessVersion: version) == .unchanged(lastUsed: .ms(milliseconds)))
    }

    /// Removes the sessions that were last used, or started, at a time or before.
    static func remove(
        from store: any SessionStore,
        lastUsed: Int64 = 0,
        created: Int64 = 0,
        maximum: Int = 1_000,
        now: Int64 = 10_000
    ) async throws -> RemovedSessions {
        var limits = SessionLimits()
        limits.idle = .milliseconds(now - lastUsed)
        limits.lifetime = .milliseconds(now - created)
        limits.maximum = maximum
        return try await store.removeSessions(exceeding: limits, at: .ms(now))
    }

    /// The behaviours of sessions that servers share. Check each with an empty store.
    public static let sharedBehaviours: [Behaviour<any SessionStore>] = [
        Behaviour("a committed session is found with every byte, until its version is known") { store in
            #expect(try await store.find(1) == .unknown)
            let first = change(1, user: "ada\u{1}é")
            #expect(try await store.commit(first) == .committed)
            var stored = first.session
            stored.events = [StoredEvent(version: 1, content: event(0))]
            #expect(try await store.find(1) == .found(stored))
            try await expectUse(of: 1, version: 1, at: 2_000, in: store)
            #expect(try await store.find(2, unlessVersion: 1) == .unknown)
        },
        Behaviour("events are kept in order, until the session no longer needs them") { store in
            for version in 0..<4 { try await store.commit(change(1, version: version)) }
            try await store.commit(change(1, version: 4, lastUsed: 9_000, oldestEvent: 3))
            var stored = session(1, lastUsed: 9_000)
            stored.version = 5
            stored.events = (3...5).map { StoredEvent(version: $0, content: event($0 - 1)) }
            #expect(try await store.find(1, unlessVersion: 4) == .found(stored))
        },
        Behaviour("a server learns the versions of the sessions that exist") { store in
            for version in 0..<3 { try await store.commit(change(1, version: version)) }
            try await store.commit(change(2))
            try await store.commit(change(3))
            #expect(try await store.versions(of: [id(1), id(2), id(9)]) == [id(1): 3, id(2): 1])
            #expect(try await store.versions(of: []) == [:])
        },
        Behaviour("using a session changes only the time of its last use, which is the latest one of all servers") {
            store in
            try await store.commit(change(1))
            for time: Int64 in [8_000, 7_000] { try await store.touch(id(1), at: .ms(time)) }
            try await store.touch(id(2), at: .ms(7_000))
            try await expectUse(of: 1, version: 1, at: 8_000, in: store)
            #expect(try await store.commit(change(1, version: 1, lastUsed: 7_000)) == .committed)
            try await expectUse(of: 1, version: 2, at: 8_000, in: store)
        },
        Behaviour("an event that has read an old version is not stored") { store in
            try await store.commit(change(1))
            try await store.commit(change(1, version: 1))
            let before = try await store.find(1)
            for (number, version) in [(1, 1), (1, 0), (2, 1)] {
                #expect(try await store.commit(change(number, version: version, token: 9)) == .conflict)
            }
            #expect(try await store.find(1) == before)
            #expect(try await store.find(2) == .unknown)
        },
        Behaviour("a commit that is repeated has no further effect") { store in
            let login = login(2, replacing: 1)
            for event in [change(1), change(1), login] { #expect(try await store.commit(event) == .committed) }
            let before = try await store.find(2)
            #expect(try await store.commit(login) == .committed)
            #expect(try await store.find(2) == before)
        },
        Behaviour("of simultaneous events that have read the same version, one is stored") { store in
            try await store.commit(change(1))
            let results = try await concurrently(20) {
                try await store.commit(change(1, version: 1, token: UInt8(10 + $0)))
            }
            #expect(results.count { $0 == .committed } == 1)
            #expect(results.count { $0 == .conflict } == 19)
            let stored = try await store.found(1)
            #expect(stored.version == 2)
            #expect(stored.events.map(\.version) == [1, 2])
        },
        Behaviour("a login replaces the session's ID, and the old one leads to the response for a minute") { store in
            try await store.commit(change(1))
            let login = login(2, replacing: 1, response: [1, 0, 2])
            #expect(try await store.commit(login) == .committed)
            #expect(try await store.find(1) == .replaced(response: [1, 0, 2]))
            let stored = try await store.found(2)
            #expect([stored.id, stored.content] == [login.session.id, login.session.content])
            #expect(stored.user == "ada")
            #expect(stored.created == session(1).created)
            #expect(stored.events.count == 2)
            #expect(try await store.commit(change(1, version: 2, token: 9)) == .conflict)
            _ = try await remove(from: store, now: 64_999)
            #expect(try await store.find(1) == .replaced(response: [1, 0, 2]))
            _ = try await remove(from: store, now: 65_000)
            #expect(try await store.find(1) == .unknown)
        },
        Behaviour("a session that has ended is not found and takes no more events") { store in
            try await store.commit(change(1))
            try await store.commit(change(2))
            try await store.end(id(1))
            try await store.end(id(3))
            #expect(try await store.find(1, unlessVersion: 1) == .unknown)
            #expect(try await store.commit(change(1, version: 1)) == .conflict)
            try await expectUse(of: 2, version: 1, at: 2_000, in: store)
        },
        Behaviour("the sessions of a user are those that the user is logged in to now") { store in
            for login in logins { try await store.commit(login) }
            try await store.commit(change(4))
            try await store.touch(id(2), at: .ms(9_000))
            let sessions = try await store.sessions(ofUser: "ada").sorted { $0.lastUsed < $1.lastUsed }
            #expect(sessions.map(\.session.bytes) == [id(1), id(2)])
            #expect(sessions.map(\.lastUsed.milliseconds) == [2_000, 9_000])
            #expect(sessions.map(\.browser) == ["browser of ada", "browser of ada"])
            try await store.end(id(1))
            #expect(try await store.sessions(ofUser: "ada").map(\.session.bytes) == [id(2)])
            #expect(try await store.sessions(ofUser: "eve") == [])
        },
        Behaviour("all sessions of a user end at once, and a login that began before fails") { store in
            for login in logins { try await store.commit(login) }
            try await store.endSessions(ofUser: "ada")
            #expect(try await store.find(1) == .unknown)
            #expect(try await store.find(2, unlessVersion: 1) == .unknown)
            try await expectUse(of: 3, version: 1, at: 2_000, in: store)
            let early = try await store.commit(login(4, replacing: nil, version: 0))
            let revocation: Int? = if case .revoked(let last) = early { last } else { nil }
            let last = try #require(revocation)
            #expect(try await store.find(4) == .unknown)
            for login in [
                login(4, replacing: nil, version: 0, lastRevocation: last),
                login(5, replacing: nil, version: 0, user: "bob"),
            ] { #expect(try await store.commit(login) == .committed) }
        },
        Behaviour("the key of a session that has ended in any way is returned once") { store in
            let changes = [
                change(1, lastUsed: 5_000, key: "key1"), change(2, lastUsed: 100, key: "key2"),
                change(3, user: "ada", lastUsed: 5_000, key: "key3"), change(4, lastUsed: 5_000, key: "key4"),
                change(5, lastUsed: 5_000, key: "key5"), change(6),
            ]
            for change in changes { #expect(try await store.commit(change) == .committed) }
            #expect(try await store.claimKeys() == [])
            for number in [1, 6] { try await store.end(id(number)) }
            #expect(try await remove(from: store, lastUsed: 100) == RemovedSessions(expired: 1))
            try await store.endSessions(ofUser: "ada")
            #expect(try await store.claimKeys().sorted() == ["key1", "key2", "key3"])
            #expect(try await remove(from: store, maximum: 1) == RemovedSessions(evicted: 1))
            #expect(try await store.claimKeys().count == 1)
            #expect(try await store.claimKeys() == [])
        },
        Behaviour("a claimed key is returned again after a pause that grows, until it is removed") { store in
            try await store.commit(change(1, key: "key"))
            try await store.end(id(1))
            var claims: [Int64] = []
            for second: Int64 in stride(from: 0, through: 400, by: 20)
            where try await store.claimEndedSessions(limit: 1, at: .ms(second * 1_000)) == ["key"] {
                claims.append(second)
            }
            #expect(claims == [0, 60, 180, 360])
            try await store.removeEndedSession("key")
            #expect(try await store.claimEndedSessions(limit: 1, at: .ms(1_000_000)) == [])
        },
        Behaviour("servers that claim at the same time get different keys") { store in
            for number in 0..<100 {
                try await store.commit(change(number, key: "key\(number)"))
                try await store.end(id(number))
            }
            let claimed = try await concurrently(160) { _ in
                try await store.claimEndedSessions(limit: 7, at: .ms(1))
            }.flatMap(\.self)
            #expect(claimed.count == 100)
            #expect(Set(claimed).count == 100)
        },
        Behaviour("a login keeps a session's key, and another key ends the former one") { store in
            try await store.commit(change(1, key: "one"))
            var login = login(2, replacing: 1)
            login.session.key = "one"
            #expect(try await store.commit(login) == .committed)
            // A server without a hook stores no key.
            #expect(try await store.commit(change(2, version: 2)) == .committed)
            #expect(try await store.claimKeys() == [])
            #expect(try await store.commit(change(2, version: 3, key: "two")) == .committed)
            #expect(try await store.claimKeys() == ["one"])
            #expect(try await store.found(2).key == "two")
        },
        Behaviour("a saved session that is taken has not ended") { store in
            let saved = session(1, key: "one")
            try await store.save([saved])
            #expect(try await store.take(limit: 10) == [saved])
            #expect(try await store.claimKeys() == [])
        },
        Behaviour("expired sessions are removed with their events") { store in
            try await store.commit(change(1, lastUsed: 3_000))
            try await store.commit(change(2, lastUsed: 4_000))
            #expect(try await remove(from: store, lastUsed: 3_000) == RemovedSessions(expired: 1))
            #expect(try await store.find(1, unlessVersion: 1) == .unknown)
            #expect(try await remove(from: store, created: 1_001) == RemovedSessions())
            #expect(try await remove(from: store, created: 1_002) == RemovedSessions(expired: 1))
            #expect(try await store.find(2, unlessVersion: 1) == .unknown)
            #expect(try await store.commit(change(1, token: 9)) == .committed)
            #expect(try await store.found(1).events.map(\.version) == [1])
        },
        Behaviour("a time in the future counts as the present: the session does not end, and does not stay for ever") {
            store in
            for number in 1...2 {
                var change = change(number, lastUsed: 9_000_000)
                if number == 2 { change.session.created = Timestamp.ms(8_000_000) }
                try await store.commit(change)
            }
            #expect(try await remove(from: store) == RemovedSessions())
            for number in 1...2 { try await expectUse(of: number, version: 1, at: 10_000, in: store) }
            #expect(try await remove(from: store, created: 9_999) == RemovedSessions(expired: 1))
            #expect(try await store.find(1, unlessVersion: 1) == .unknown)
            #expect(try await remove(from: store, lastUsed: 10_000) == RemovedSessions(expired: 1))
        },
        Behaviour("servers whose clocks differ by less than a minute do not change each other's times") { store in
            try await store.commit(change(1, lastUsed: 69_999))
            #expect(try await remove(from: store) == RemovedSessions())
            try await expectUse(of: 1, version: 1, at: 69_999, in: store)
        },
        Behaviour("an ID that was replaced in the future leads to the response for a minute") { store in
            try await store.commit(change(1))
            var login = login(2, replacing: 1, response: [1, 0, 2])
            login.userChange?.time = Timestamp.ms(5_000_000)
            try await store.commit(login)
            for now: Int64 in [10_000, 69_999] {
                _ = try await remove(from: store, now: now)
                #expect(try await store.find(1) == .replaced(response: [1, 0, 2]))
            }
            _ = try await remove(from: store, now: 70_000)
            #expect(try await store.find(1) == .unknown)
        },
        Behaviour("a session keeps the address of its start, also after a login") { store in
            var change = change(1)
            change.session = session(1, address: [1, 0, 255])
            try await store.commit(change)
            try await store.commit(login(2, replacing: 1))
            #expect(try await store.found(2).address == [1, 0, 255])
        },
        Behaviour("the key for addresses is the same for all servers, and stays the same") { store in
            let keys = Set(try await concurrently(8) { _ in try await store.addressKey })
            #expect(keys.count == 1)
            #expect(keys.first?.count == 32)
        },
    ]
}

extension SessionStore {
    /// Commits an event that has written nothing else.
    @discardableResult
    package func commit(_ change: SessionChange) async throws -> CommitResult { try await commit(change, with: []) }

    /// The session with that number, although its version may be known.
    package func find(_ number: Int, unlessVersion version: Int = 0) async throws -> SessionLookup {
        try await find(SessionStoreSuite.id(number), unlessVersion: version)
    }

    /// Claims the keys of the sessions that have ended.
    func claimKeys() async throws -> [String] { try await claimEndedSessions(limit: 10, at: .ms(1)) }

    fileprivate func found(_ number: Int) async throws -> StoredSession {
        let lookup = try await find(number)
        let session: StoredSession? = if case .found(let session) = lookup { session } else { nil }
        return try #require(session)
    }
}
