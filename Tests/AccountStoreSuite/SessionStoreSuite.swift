/// The behaviour of every store of sessions.
public enum SessionStoreSuite {
    /// A session whose bytes are all different from each other, and from those of other numbers.
    public static func session(
        _ number: Int,
        user: String? = nil,
        lastUsed: Int64 = 2_000,
        address: [UInt8]? = nil,
        key: String? = nil
    ) -> StoredSession {
        StoredSession(
            id: (0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8) &+ $0) },
            user: user,
            browser: user.map { "browser of \($0)" },
            created: .ms(1_000 + Int64(number)),
            lastUsed: .ms(lastUsed),
            content: "{\"number\":\(number),\"text\":\"\u{0}é\"}".bytes,
            address: address,
            key: key
        )
    }

    /// All behaviours. Check each with an empty store.
    public static let behaviours: [Behaviour<any SessionStore>] = [
        Behaviour("a saved session is returned once, with every byte, and an empty store has none") { store in
            #expect(try await store.take(limit: 10).isEmpty)
            try await store.save([])
            #expect(try await store.take(limit: 10).isEmpty)
            let saved = [session(1, address: [0, 1, 255]), session(2, user: "ada\u{1}é", lastUsed: 3_000)]
            try await store.save(saved)
            #expect(try await store.take(limit: 10) == saved)
            #expect(try await store.take(limit: 10).isEmpty)
        },
        Behaviour("the session that has been unused longest is first") { store in
            try await store.save([session(1, lastUsed: 30), session(2, lastUsed: 10)])
            try await store.save([session(3, lastUsed: 20)])
            #expect(try await store.take(limit: 2) == [session(2, lastUsed: 10), session(3, lastUsed: 20)])
            #expect(try await store.take(limit: 2) == [session(1, lastUsed: 30)])
            #expect(try await store.take(limit: 2).isEmpty)
        },
        Behaviour("a session replaces one with the same ID") { store in
            try await store.save([session(1, user: "ada", lastUsed: 10)])
            try await store.save([session(1, lastUsed: 20)])
            #expect(try await store.take(limit: 10) == [session(1, lastUsed: 20)])
        },
        Behaviour("no session is returned twice to readers at the same time") { store in
            let saved = (0..<200).map { session($0, lastUsed: Int64($0)) }
            try await store.save(saved)
            let taken = try await concurrently(8) { _ in
                var all: [StoredSession] = []
                while case let some = try await store.take(limit: 7), !some.isEmpty { all += some }
                return all
            }
            #expect(taken.joined().sorted { $0.lastUsed < $1.lastUsed } == saved)
        },
    ]
}
