extension AccountStoreSuite {
    static let revocations: [Behaviour<any AccountStore>] = [
        Behaviour("revocations have ascending numbers, and each account has its latest one") { store in
            let (ada, bob) = (Account.ada, Account.bob)
            try await store.add([ada, bob])
            for id in [ada.id, bob.id, ada.id, ada.id] { try await store.revokeSessions(of: id) }
            let all = try await store.revocations
            #expect(all.map(\.account) == [bob.id, ada.id])
            #expect(all[0].number < all[1].number - 1)
            for (number, known) in [(all[0].number - 1, all), (all[0].number, [all[1]]), (all[1].number, [])] {
                #expect(try await store.sessionRevocations(after: number) == known)
            }
            #expect(try await store.sessionRevocations(after: .max).isEmpty)
        },
        Behaviour("a removal revokes the sessions once") { store in
            let (ada, bob) = (Account.ada, Account.bob)
            try await store.add([ada, bob])
            try await store.revokeSessions(of: ada.id)
            #expect(try await store.remove(ada.id))
            #expect(try await store.remove(ada.id) == false)
            let removal = try await store.revocations
            #expect(removal.map(\.account) == [ada.id])
            try await store.revokeSessions(of: bob.id)
            #expect(try await store.sessionRevocations(after: removal[0].number).map(\.account) == [bob.id])
        },
    ]
}
