import Testing

extension AccountStoreSuite {
    static let revocations: [Behaviour<any AccountStore>] = [
        Behaviour("revocations have ascending numbers from 1, and each account has its latest one") { store in
            let (ada, bob) = (Account.ada, Account.bob)
            try await store.add([ada, bob])
            for id in [ada.id, bob.id, ada.id, ada.id] { try await store.revokeSessions(of: id) }
            let all = [SessionRevocation(number: 2, account: bob.id), SessionRevocation(number: 4, account: ada.id)]
            for (number, known) in [all, all, [all[1]], [all[1]], []].enumerated() {
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
            #expect(try await store.sessionRevocations(after: 0) == [SessionRevocation(number: 2, account: ada.id)])
            try await store.revokeSessions(of: bob.id)
            #expect(try await store.sessionRevocations(after: 2) == [SessionRevocation(number: 3, account: bob.id)])
        },
    ]
}
