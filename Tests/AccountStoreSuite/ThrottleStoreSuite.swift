/// The behaviour of every store of failed logins.
public enum ThrottleStoreSuite {
    /// All behaviours. Check each with an empty store.
    public static let behaviours: [Behaviour<any AccountStore>] = [
        Behaviour("a key starts with an empty count and keeps its changes") { store in
            let key = ThrottleKey.account(AccountID("a"))
            let changed = FailureCount(failures: 3, lastFailure: .ms(1_700_000_000_123), refused: 7)
            let before = try await store.update(key) { count in
                defer { count = changed }
                return count
            }
            #expect(before == FailureCount())
            #expect(try await store.count(key) == changed)
            try await store.update(key) { $0.lastFailure = nil }
            #expect(try await store.count(key) == FailureCount(failures: 3, refused: 7))
        },
        Behaviour("an empty count is like no count") { store in
            let key = ThrottleKey.unknownName(7)
            try await store.update(key) { $0.failures = 5 }
            try await store.update(key) { $0 = FailureCount() }
            #expect(try await store.count(key) == FailureCount())
            try await store.update(key) { $0.lastFailure = .ms(0) }
            #expect(try await store.count(key) == FailureCount(lastFailure: .ms(0)))
        },
        Behaviour("keys have separate counts") { store in
            let keys: [ThrottleKey] = [
                .account(AccountID("1")), .account(AccountID("1\u{1}")), .account(AccountID("")),
                .unknownName(1), .unknownName(0), .unknownName(.max),
            ]
            for (index, key) in keys.enumerated() { try await store.update(key) { $0.failures = index + 1 } }
            for (index, key) in keys.enumerated() { #expect(try await store.count(key).failures == index + 1) }
        },
    ]
}

extension AccountStore {
    /// The count of a key.
    fileprivate func count(_ key: ThrottleKey) async throws -> FailureCount { try await update(key) { $0 } }
}
