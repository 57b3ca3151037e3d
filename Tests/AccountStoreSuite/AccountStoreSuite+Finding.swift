extension AccountStoreSuite {
    static let finding: [Behaviour<any AccountStore>] = [
        Behaviour("an account is found by its ID, its username and its email address") { store in
            var ada = Account.sample("ada", userID: "123456789012")
            ada.contactEmail = "countess@example.org"
            ada.isDisabled = true
            ada.note = "a\u{1} „note“"
            ada.roles = ["admin", "support"]
            let bob = Account.sample("bob", created: -1)
            try await store.add([ada, bob])
            expectSame(try await store.account(ada.id), ada)
            expectSame(try await store.account(username: "ada"), ada)
            expectSame(try await store.account(email: "ada@example.org"), ada)
            expectSame(try await store.account(bob.id), bob)
        },
        Behaviour("unknown accounts are not found") { store in
            try await store.add([])
            try await store.add(.ada)
            #expect(try await store.account(.random()) == nil)
            #expect(try await store.account(username: "ada@example.org") == nil)
            #expect(try await store.account(email: "ada") == nil)
            #expect(try await store.account(username: "") == nil)
            #expect(try await store.change(.random(), revokingSessions: true) { $0.name = "x" } == nil)
            #expect(try await store.remove(.random()) == false)
            #expect(try await store.revocations.isEmpty)
        },
        // `AccountKeyTests` have all texts that are equal.
        Behaviour("names that differ in case or in composition are equal") { store in
            for (index, (one, other)) in [("Ada", "aDA"), ("Ren\u{E9}", "RENE\u{301}")].enumerated() {
                let account = Account.sample(one, email: "\(one)@\(index).org")
                try await store.add(account)
                expectSame(try await store.account(username: other), account)
                expectSame(try await store.account(email: "\(other)@\(index).ORG"), account)
                await #expect(throws: AccountConflict.username) {
                    try await store.add(.sample("second", username: other))
                }
                await #expect(throws: AccountConflict.email) {
                    try await store.add(.sample("second", email: "\(other)@\(index).ORG", username: other))
                }
            }
        },
        Behaviour("every text is returned byte by byte") { store in
            let texts = [
                "", "\u{1}", "a\u{1}b\u{1}", "👩‍👩‍👧‍👦🏳️‍🌈", "e\u{301}", "\u{E9}", "\r\n'\"\\%_;--",
                "ü".repeated(10_000),
            ]
            for (index, text) in texts.enumerated() {
                let account = Account(
                    id: AccountID("\(index)\(text)"),
                    name: text,
                    email: "\(index)\(text)",
                    username: "\(text)\(index)",
                    userID: "\(index)\(text)",
                    contactEmail: text,
                    passwordHash: text,
                    created: .ms(.max)
                )
                try await store.add(account)
                expectSame(try await store.account(account.id), account)
                expectSame(try await store.account(username: account.username), account)
                expectSame(try await store.account(email: account.email), account)
                let longer = try await store.change(account.id) { $0.name += text }
                #expect(longer?.name.utf8.elementsEqual((text + text).utf8) == true)
                expectSame(try await store.account(account.id), longer)
            }
            #expect(try await store.all.count == texts.count)
        },
        Behaviour("pages are in the order of the usernames' keys") { store in
            let usernames = ["Zoe", "adam", "Eve", "émile", "bob\u{1}", "bob", "", "👩"]
            try await store.add(usernames.map { Account.sample($0) })
            var pages: [[Account]] = []
            repeat {
                let last = pages.last?.last?.usernameKey
                pages.append(try await store.accounts(after: last, limit: 3))
            } while pages.last?.isEmpty == false
            #expect(pages.map(\.count) == [3, 3, 2, 0])
            #expect(pages.joined().map(\.username) == ["", "adam", "bob", "bob\u{1}", "Eve", "Zoe", "émile", "👩"])
        },
        Behaviour("a page may begin between two names, and may be empty") { store in
            try await store.add([.ada, .bob, .sample("cyd")])
            #expect(try await store.accounts(after: AccountKey("B").bytes, limit: 1).map(\.username) == ["bob"])
            #expect(
                try await store.accounts(after: AccountKey("ada").bytes, limit: 9).map(\.username) == ["bob", "cyd"]
            )
            #expect(try await store.accounts(after: nil, limit: 0).isEmpty)
            #expect(try await store.accounts(after: nil, limit: -1).isEmpty)
            #expect(try await store.accounts(after: AccountKey("cyd").bytes, limit: 9).isEmpty)
        },
    ]
}
