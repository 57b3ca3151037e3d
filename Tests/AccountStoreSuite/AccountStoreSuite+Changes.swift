extension AccountStoreSuite {
    static let changes: [Behaviour<any AccountStore>] = [
        Behaviour("a changed account is found by its new names only") { store in
            let ada = Account.sample("ada", userID: "1")
            try await store.add(ada)
            let changed = try await store.change(ada.id) { account in
                account.name = "Ada Lovelace"
                account.email = "lovelace@example.org"
                account.username = "Lovelace"
                account.userID = nil
                account.contactEmail = "countess@example.org"
                account.passwordHash = "$argon2id$new"
                account.isDisabled = true
            }
            #expect(changed?.isDisabled == true)
            #expect(changed?.userID == nil)
            #expect(changed?.name == "Ada Lovelace")
            expectSame(try await store.account(ada.id), changed)
            expectSame(try await store.account(username: "lovelace"), changed)
            expectSame(try await store.account(email: "lovelace@example.org"), changed)
            #expect(try await store.account(username: "ada") == nil)
            #expect(try await store.account(email: "ada@example.org") == nil)
            try await store.add(.sample("ada", userID: "1"))
        },
        Behaviour("a change may keep the names or their keys, and revokes no sessions unless it must") { store in
            let ada = Account.sample("ada", userID: "1")
            try await store.add(ada)
            let changed = try await store.change(ada.id) { $0.username = "ADA" }
            #expect(changed?.username == "ADA")
            try await store.change(ada.id) { _ in }
            expectSame(try await store.account(username: "ada"), changed)
            #expect(try await store.revocations.isEmpty)
        },
        Behaviour("the time at which the address was confirmed is kept, and removed") { store in
            let time = Timestamp.ms(1_700_000_000_123)
            var ada = Account.ada
            ada.emailConfirmed = time
            try await store.add([ada, .bob])
            #expect(try await store.account(ada.id)?.emailConfirmed == time)
            #expect(try await store.account(email: "bob@example.org")?.emailConfirmed == nil)
            try await store.change(ada.id) { $0.emailConfirmed = time + .seconds(1) }
            #expect(try await store.account(username: "ada")?.emailConfirmed == time + .seconds(1))
            try await store.change(ada.id) { $0.emailConfirmed = nil }
            #expect(try await store.all.map(\.emailConfirmed) == [nil, nil])
        },
        Behaviour("what a user has besides the password is kept, and removed") { store in
            let time = Timestamp.ms(1_700_000_000_123)
            var factors = Factors()
            factors.passkeys = [AccountPasskey(.sample(1), name: "Phone ☎", created: time, lastUsed: time)]
            factors.authenticatorApp = AuthenticatorApp(secret: "AAAA", created: time, lastStep: 57_000_000)
            factors.recoveryCodes = [RecoveryCode(prefix: "k7", hash: "$argon2id$")]
            var ada = Account.ada
            ada.factors = factors
            try await store.add([ada, .bob])
            expectSame(try await store.account(ada.id), ada)
            #expect(try await store.account(username: "bob")?.factors == Factors())
            factors.passkeys[0].passkey.counter = .max
            factors.passkeys.append(AccountPasskey(.sample(2), name: "", created: time))
            let changed = factors
            try await store.change(ada.id) { $0.factors = changed }
            #expect(try await store.account(ada.id)?.factors == factors)
            try await store.change(ada.id) { $0.factors = Factors() }
            #expect(try await store.all.map(\.factors) == [Factors(), Factors()])
        },
        Behaviour("a change cannot change the ID and the time of creation") { store in
            try await store.add(.ada)
            let changed = try await store.change(Account.ada.id) { $0 = .sample("bob", created: 5) }
            #expect(changed?.id == Account.ada.id)
            #expect(changed?.created == Account.ada.created)
            #expect(changed?.username == "bob")
            expectSame(try await store.account(Account.ada.id), changed)
        },
        Behaviour("a change that throws changes nothing") { store in
            struct Refusal: Error, Equatable {}
            try await store.add(.ada)
            await #expect(throws: Refusal()) {
                try await store.change(Account.ada.id, revokingSessions: true) { account in
                    account.name = "changed"
                    throw Refusal()
                }
            }
            expectSame(try await store.account(Account.ada.id), .ada)
            #expect(try await store.revocations.isEmpty)
        },
        Behaviour("none of a hundred simultaneous changes is lost") { store in
            var counter = Account.sample("counter")
            counter.name = "0"
            try await store.add(counter)
            let id = counter.id
            try await concurrently(100) { _ in
                try await store.change(id) { $0.name = "\((Int($0.name) ?? 0) + 1)" }
            }
            #expect(try await store.account(id)?.name == "100")
        },
        Behaviour("a removed account is gone, and its names are free") { store in
            let ada = Account.sample("ada", userID: "1")
            try await store.add([ada, .bob])
            #expect(try await store.remove(ada.id))
            #expect(try await store.account(ada.id) == nil)
            #expect(try await store.account(username: "ada") == nil)
            #expect(try await store.usernames == ["bob"])
            #expect(try await store.remove(ada.id) == false)
            try await store.add(.sample("ada", userID: "1"))
        },
    ]
}
