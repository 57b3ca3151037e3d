extension AccountStoreSuite {
    static let conflicts: [Behaviour<any AccountStore>] = [
        Behaviour("a conflict names the property that is taken, and adds nothing of its batch") { store in
            try await store.add(.sample("ada", userID: "1"))
            for (account, conflict) in clashing {
                await #expect(throws: conflict) { try await store.add(account) }
                await #expect(throws: conflict) { try await store.add([.bob, account, .sample("cyd")]) }
            }
            #expect(try await store.usernames == ["ada"])
            try await store.add([.bob, .sample("cyd")])
        },
        Behaviour("a batch that conflicts with itself adds nothing") { store in
            for (account, conflict) in clashing {
                await #expect(throws: conflict) { try await store.add([.sample("ada", userID: "1"), account]) }
            }
            let accounts = try await store.all
            #expect(accounts == [])
        },
        Behaviour("the same account is not added twice") { store in
            var renamed = Account.ada
            (renamed.email, renamed.username) = ("other@example.org", "other")
            try await store.add(.ada)
            for account in [Account.ada, renamed] {
                await #expect(throws: AccountConflict.email) { try await store.add(account) }
            }
            expectSame(try await store.account(Account.ada.id), .ada)
        },
        Behaviour("any number of accounts may have no user ID") { store in
            try await store.add([.ada, .bob, .sample("cyd", userID: "")])
            #expect(try await store.all.count == 3)
        },
        Behaviour("one of many simultaneous accounts with one name is added") { store in
            let added = try await concurrently(50) { _ in (try? await store.add(.sample("ada"))) != nil }
            #expect(added.count { $0 } == 1)
            #expect(try await store.all.count == 1)
        },
        Behaviour("a change with a conflict changes nothing") { store in
            let bob = Account.sample("bob", userID: "2")
            try await store.add([.sample("ada", userID: "1"), bob])
            for (account, conflict) in clashing {
                await #expect(throws: conflict) {
                    try await store.change(bob.id, revokingSessions: true) { changed in
                        changed.name = "changed"
                        changed.email = account.email
                        changed.username = account.username
                        changed.userID = account.userID
                    }
                }
            }
            expectSame(try await store.account(bob.id), bob)
            expectSame(try await store.account(username: "bob"), bob)
            #expect(try await store.revocations.isEmpty)
            await #expect(throws: AccountConflict.userID) { try await store.add(.sample("cyd", userID: "2")) }
        },
        Behaviour("no two accounts have the same passkey, until it is removed or its account is deleted") { store in
            @Sendable func sample(_ name: String, _ passkeys: UInt8...) -> Account {
                var account = Account.sample(name)
                account.factors.passkeys = passkeys.map {
                    AccountPasskey(.sample($0), name: "", created: account.created)
                }
                return account
            }
            let (ada, bob) = (sample("ada", 1, 2), sample("bob", 3))
            try await store.add([ada, bob])
            await #expect(throws: AccountConflict.passkey) { try await store.add(sample("cyd", 4, 2)) }
            await #expect(throws: AccountConflict.passkey) {
                try await store.add([sample("cyd", 4), sample("dan", 4)])
            }
            await #expect(throws: AccountConflict.passkey) {
                try await store.change(bob.id, revokingSessions: true) { $0.factors = sample("", 3, 1).factors }
            }
            expectSame(try await store.account(bob.id), bob)
            try await store.change(ada.id) { $0.factors.passkeys.removeFirst() }
            try await store.change(bob.id) { $0.factors = sample("", 3, 1).factors }
            #expect(try await store.remove(ada.id))
            try await store.add(sample("cyd", 2))
        },
    ]

    /// Accounts that conflict with the sample `ada`, whose user ID is `1`.
    static let clashing: [(Account, AccountConflict)] = [
        (.sample("new", email: "ADA@example.org", userID: "3"), .email),
        (.sample("new", username: "ADA", userID: "3"), .username), (.sample("new", userID: "1"), .userID),
    ]
}
