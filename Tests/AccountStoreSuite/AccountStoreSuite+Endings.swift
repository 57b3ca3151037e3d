import Accounts
import Testing

extension AccountStoreSuite {
    static let endings: [Behaviour<any AccountStore>] = [
        Behaviour("a change that ends no sessions adds no ending") { store in
            let ada = Account.sample("ada")
            try await store.add(ada)
            try await store.change(ada.id, endingSessions: false) { $0.name = "Ada" }
            #expect(try await store.sessionEndings(after: 0).isEmpty)
        },
        Behaviour("endings have ascending numbers, from 1, and each account has its last one") { store in
            let ada = Account.sample("ada")
            let bob = Account.sample("bob")
            try await store.add([ada, bob])
            for id in [ada.id, bob.id, ada.id, ada.id] { try await store.change(id, endingSessions: true) { _ in } }
            let all = [SessionEnding(number: 2, account: bob.id), SessionEnding(number: 4, account: ada.id)]
            #expect(try await store.sessionEndings(after: 0) == all)
            #expect(try await store.sessionEndings(after: 1) == all)
            #expect(try await store.sessionEndings(after: 2) == [all[1]])
            #expect(try await store.sessionEndings(after: 3) == [all[1]])
            #expect(try await store.sessionEndings(after: 4).isEmpty)
            #expect(try await store.sessionEndings(after: .max).isEmpty)
        },
        Behaviour("a removal ends the sessions, once") { store in
            let ada = Account.sample("ada")
            let bob = Account.sample("bob")
            try await store.add([ada, bob])
            try await store.change(ada.id, endingSessions: true) { _ in }
            #expect(try await store.remove(ada.id))
            #expect(try await store.remove(ada.id) == false)
            #expect(try await store.sessionEndings(after: 0) == [SessionEnding(number: 2, account: ada.id)])
            try await store.change(bob.id, endingSessions: true) { _ in }
            #expect(try await store.sessionEndings(after: 2) == [SessionEnding(number: 3, account: bob.id)])
        },
    ]
}
