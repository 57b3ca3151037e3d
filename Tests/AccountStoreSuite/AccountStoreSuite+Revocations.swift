import Accounts
import Testing

extension AccountStoreSuite {
    static let revocations: [Behaviour<any AccountStore>] = [
        Behaviour("a change without a revocation adds none") { store in
            try await store.add(ada)
            try await store.change(ada.id, revokingSessions: false) { $0.name = "Ada" }
            #expect(try await store.sessionRevocations(after: 0).isEmpty)
        },
        Behaviour("revocations have ascending numbers from 1, and each account has its latest one") { store in
            try await store.add([ada, bob])
            for id in [ada.id, bob.id, ada.id, ada.id] { try await store.change(id, revokingSessions: true) { _ in } }
            let all = [SessionRevocation(number: 2, account: bob.id), SessionRevocation(number: 4, account: ada.id)]
            #expect(try await store.sessionRevocations(after: 0) == all)
            #expect(try await store.sessionRevocations(after: 1) == all)
            #expect(try await store.sessionRevocations(after: 2) == [all[1]])
            #expect(try await store.sessionRevocations(after: 3) == [all[1]])
            #expect(try await store.sessionRevocations(after: 4).isEmpty)
            #expect(try await store.sessionRevocations(after: .max).isEmpty)
        },
        Behaviour("a removal revokes the sessions once") { store in
            try await store.add([ada, bob])
            try await store.change(ada.id, revokingSessions: true) { _ in }
            #expect(try await store.remove(ada.id))
            #expect(try await store.remove(ada.id) == false)
            #expect(try await store.sessionRevocations(after: 0) == [SessionRevocation(number: 2, account: ada.id)])
            try await store.change(bob.id, revokingSessions: true) { _ in }
            #expect(try await store.sessionRevocations(after: 2) == [SessionRevocation(number: 3, account: bob.id)])
        },
    ]
}
