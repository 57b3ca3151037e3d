package import AccountsDatabase
import Accounts
import BundledControllers
import BusinessLogic
import SessionStorage
import Testing

/// The behaviour of databases with SQL, also of several processes that use one.
package enum DatabaseSuite {
    /// All behaviours. Check each with two objects of one empty database.
    package static let behaviours: [Behaviour<[any SQLDatabase]>] = [
        Behaviour("each process reads the other's changes immediately") { databases in
            let (one, other) = (databases[0], databases[1])
            let ada = Account.sample("ada")
            try await one.add(ada)
            #expect(try await other.account(ada.id) == ada)
            try await other.update(.account(ada.id)) { $0.failures = 1 }
            #expect(try await one.update(.account(ada.id)) { $0 } == FailureCount(failures: 1))
            #expect(try await other.sessionRevocations(after: 0).isEmpty)
            #expect(try await one.remove(ada.id))
            #expect(try await other.sessionRevocations(after: 0) == [SessionRevocation(number: 1, account: ada.id)])
            #expect(try await other.update(.account(ada.id)) { $0 } == FailureCount())
        },
        Behaviour("counts of failed logins never go backwards, and each value is returned once") { databases in
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<200 {
                    group.addTask {
                        try await databases[index % 2].update(.unknownName(1)) { count in
                            count.failures += 1
                            return count.failures
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts.sorted() == Array(1...200))
        },
        Behaviour("a session whose user's sessions were revoked after the last known revocation is not returned") {
            databases in
            let database = databases[0]
            let (ada, bob, eve) = (Account.sample("ada"), Account.sample("bob"), Account.sample("eve"))
            try await database.add([ada, bob, eve])
            try await database.change(ada.id, revokingSessions: true) { _ in }
            try await database.change(eve.id, revokingSessions: true) { _ in }
            let saved = [ada, bob, eve].enumerated().map { number, account in
                var session = SessionStoreSuite.session(number, user: account.id.text, lastUsed: Int64(number))
                session.key = account.name
                return session
            }
            // The server had ended the sessions of Ada before she logged in again, and not yet those of Eve.
            let store = database.sessions { 1 }
            try await store.save(saved + [SessionStoreSuite.session(7, lastUsed: 7)])
            _ = try await database.remove(bob.id)
            #expect(try await store.take(limit: 1) == [saved[0]])
            #expect(try await store.take(limit: 1) == [SessionStoreSuite.session(7, lastUsed: 7)])
            #expect(try await store.take(limit: 1).isEmpty)
            let ended = try await store.claimEndedSessions(limit: 10, at: Timestamp(milliseconds: 1))
            #expect(ended.sorted() == [bob.name, eve.name].sorted())
        },
        Behaviour("products are in the order of their addition") { databases in
            let products = Products(databases[0])
            #expect(try await products.all.get().isEmpty)
            let zebra = Product(name: "Zebra\u{1}", description: "", image: "")
            try await products.add([])
            try await products.add([zebra, tea])
            try await products.add([Product(name: "Ant", description: "Small", image: "ant.png")])
            #expect(try await products.all.get().map(\.name) == ["Zebra\u{1}", "Tea", "Ant"])
            #expect(try await products.all.get().prefix(2) == [zebra, tea])
        },
        Behaviour("a product replaces one with the same name") { databases in
            let products = Products(databases[0])
            try await products.add([Product(name: "Caf\u{E9}", description: "Black", image: "a"), tea])
            let coffee = Product(name: "Cafe\u{301}", description: "White", image: "b")
            try await products.add([coffee, Product(name: "Ant", description: "", image: "")])
            #expect(try await products.all.get().map(\.description) == ["White", "Green", ""])
            #expect(try await products.all.get().first == coffee)
        },
    ]

    private static let tea = Product(name: "Tea", description: "Green", image: "tea.png")

    /// The products of a database.
    private struct Products {
        let all: any Repository
        let add: ([Product]) async throws -> Void

        init(_ database: some SQLDatabase) {
            all = DatabaseProducts(database)
            add = { try await database.insert($0) }
        }
    }
}
