/// The behaviour of databases with SQL, also of several processes that use one.
package enum DatabaseSuite {
    static let ada = Account.ada
    /// All behaviours. Check each with two objects of one empty database.
    package static let behaviours: [Behaviour<[any SQLDatabase]>] = [
        Behaviour("each process reads the other's changes immediately") { databases in
            let (one, other) = (databases[0], databases[1])
            try await one.add(ada)
            #expect(try await other.account(ada.id) == ada)
            try await other.update(.account(ada.id)) { $0.failures = 1 }
            #expect(try await one.update(.account(ada.id)) { $0 } == FailureCount(failures: 1))
            #expect(try await other.revocations.isEmpty)
            #expect(try await one.remove(ada.id))
            #expect(try await other.revocations.map(\.account) == [ada.id])
            #expect(try await other.update(.account(ada.id)) { $0 } == FailureCount())
        },
        Behaviour("counts of failed logins never go backwards, and each value is returned once") { databases in
            let counts = try await concurrently(200) { index in
                try await databases[index % 2].update(.unknownName(1)) { count in
                    count.failures += 1
                    return count.failures
                }
            }
            #expect(counts.sorted() == Array(1...200))
        },
        Behaviour("failures are counted only for accounts that have some, and a deleted account leaves none behind") {
            databases in
            let (one, other) = (databases[0], databases[1])
            try await one.add(ada)
            for key in [ThrottleKey.account(ada.id), .notices(ada.id, ofAccess: true)] {
                try await other.update(key) { $0.failures = 1 }
            }
            #expect(try await one.failureCounts(of: [ada.id, .random()]) == [ada.id: FailureCount(failures: 1)])
            #expect(try await one.remove(ada.id))
            #expect(try await other.failureCounts(of: [ada.id]).isEmpty)
            #expect(try await number(of: "throttle", in: one) == 0)
        },
        Behaviour("the accounts and names with the most failed logins come first") { databases in
            let (one, other) = (databases[0], databases[1])
            let time = Timestamp.ms(1_000_000)
            let counts: [(ThrottleKey, FailureCount)] = [
                (.account(ada.id), FailureCount(failures: 3, lastFailure: time)),
                (.unknownName(7), FailureCount(failures: 1, lastFailure: time, refused: 9)),
                (.secondFactor(ada.id, isKnownDevice: true), FailureCount(failures: 2, lastFailure: time)),
                // Too early, and no logins.
                (.unknownName(8), FailureCount(failures: 99, lastFailure: time - .seconds(1))),
                (.codes(0), FailureCount(failures: 99, lastFailure: time)),
            ]
            for (key, count) in counts { try await one.update(key) { $0 = count } }
            func most(_ limit: Int) async throws -> [String] {
                try await other.mostFailures(since: time, limit: limit)
                    .map { "\($0.key) \($0.count.failures) \($0.count.refused)" }
            }
            let expected = ["stranger:7 1 9", "account:\(ada.id) 3 0", "second factor on a known device:\(ada.id) 2 0"]
            #expect(try await most(10) == expected)
            #expect(try await most(1) == [expected[0]])
        },
        Behaviour("the size of the database, the number of audit records and the last backup are known") { databases in
            let (one, other) = (databases[0], databases[1])
            let empty = try await other.figures(after: 0)
            #expect(empty.size > 0 && empty.auditRecords == 0 && empty.lastBackup == nil)
            let log = DatabaseAuditLog(one) { _, error in Issue.record(error) }
            for (kind, second) in [(AuditEvent.Kind.backupCreated, 1), (.backupCreated, 2), (.logout, 3)] {
                // A reason that a user chooses is not read as an event.
                await log.record(AuditEvent(kind, at: .ms(Int64(second) * 1000), reason: #""event":"backupCreated""#))
            }
            let figures = try await other.figures(after: 0)
            #expect(figures.auditRecords == 3 && figures.lastBackup == .ms(2000))
            #expect(try await other.figures(after: figures.lastRecord - 1).lastBackup == nil)
        },
        Behaviour("a reader of revocations misses none that is committed at the same time") { databases in
            let accounts = (0..<8).map { Account.sample("\($0)") }
            try await databases[0].add(accounts)
            let isWritten = LockedValue(false)
            let writing = Task {
                defer { isWritten.value = true }
                try await concurrently(accounts.count) { index in
                    for _ in 0..<20 { try await databases[index % 2].revokeSessions(of: accounts[index].id) }
                }
            }
            // Follows the revocations as a server does. The last revocation that it reads of each account must be the latest one.
            var latest: [AccountID: Int] = [:]
            var (last, isLast) = (0, false)
            while !isLast {
                try Task.checkCancellation()
                isLast = isWritten.value
                for revocation in try await databases[1].sessionRevocations(after: last) {
                    #expect(revocation.number > last)
                    last = revocation.number
                    latest[revocation.account] = revocation.number
                }
            }
            _ = try await writing.value
            let all = try await databases[0].revocations
            #expect(all.count == accounts.count)
            for revocation in all { #expect(latest[revocation.account] == revocation.number) }
        },
        Behaviour("an account never has more devices than its limit") { databases in
            try await databases[0].add(ada)
            let now = Timestamp.ms(0)
            try await concurrently(40) { number in
                let key = DeviceKey(bytes: [UInt8(number)])
                let device = Device(key: key, account: ada.id, expires: now + .seconds(100 + number))
                _ = try await databases[number % 2].addDevice(device, replacing: nil, limit: 3, at: now)
            }
            #expect(try await databases[0].devices(of: ada.id).count == 3)
        },
        Behaviour("no account keeps a device that is added while its sessions are revoked") { databases in
            let now = Timestamp.ms(0)
            for number in 0..<20 {
                let account = Account.sample("\(number)")
                try await databases[0].add(account)
                let key = DeviceKey(bytes: [UInt8(number)])
                let device = Device(key: key, account: account.id, expires: now + .seconds(9))
                async let added = databases[0].addDevice(device, replacing: nil, limit: 3, at: now)
                async let removed = databases[1].remove(account.id)
                _ = try await (added, removed)
                #expect(try await databases[0].device(device.key) == nil)
            }
        },
        Behaviour("damaged numbers neither hide a later revocation, nor lock an account for ever, nor end a server") {
            databases in
            let database = databases[0]
            for number in [.max, .min, -1, 0] as [Int] {
                let (ada, bob) = (Account.sample("ada \(number)"), Account.sample("bob \(number)"))
                try await database.add([ada, bob])
                try await database.revokeSessions(of: ada.id)
                try await database.update(.account(ada.id)) { $0.failures = 1 }
                let damages = [damageRevocation, damageLastRevocation, damageThrottle, damageAccount].map { $0(number) }
                try await database.write(damages)
                for _ in 0..<2 {
                    let last = try await database.revocations.last?.number ?? 0
                    try await database.revokeSessions(of: bob.id)
                    #expect(try await database.sessionRevocations(after: last).map(\.account) == [bob.id])
                }
                let count = try await database.update(.account(ada.id)) { $0 }
                #expect(count.failures == (number < 0 ? .max : number))
                #expect(count.lastFailure == .ms(Int64(number)))
                try await database.reset(.account(ada.id))
                #expect(try await database.update(.account(ada.id)) { $0 } == FailureCount())
                #expect(try await database.account(ada.id)?.created == .ms(Int64(number)))
            }
        },
        Behaviour("a cancelled call changes nothing") { databases async throws in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await databases[0].add(.ada)
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await databases[0].all.isEmpty)
        },
        Behaviour("a session whose user's sessions were revoked after the last known revocation is not returned") {
            databases in
            let database = databases[0]
            let (ada, bob, eve) = (Account.ada, Account.bob, Account.sample("eve"))
            try await database.add([ada, bob, eve])
            for account in [ada, eve] { try await database.revokeSessions(of: account.id) }
            let saved = [ada, bob, eve].enumerated().map { number, account in
                SessionStoreSuite.session(number, user: account.id.text, lastUsed: Int64(number), key: account.name)
            }
            // The server had ended the sessions of Ada before she logged in again, and not yet those of Eve.
            let known = try await database.revocations[0].number
            let store = database.sessions { known }
            try await store.save(saved + [SessionStoreSuite.session(7, lastUsed: 7)])
            #expect(try await store.find(2) == .unknown)
            _ = try await database.remove(bob.id)
            for session in [[saved[0]], [SessionStoreSuite.session(7, lastUsed: 7)], []] {
                #expect(try await store.take(limit: 1) == session)
            }
            #expect(try await store.claimKeys().sorted() == [bob.name, eve.name].sorted())
        },
        Behaviour("products are in the order of their addition, and one replaces another with the same name") {
            databases in
            let (database, products) = (databases[0], DatabaseProducts(databases[0]))
            let black = Product(name: "Caf\u{E9}", description: "Black", image: "a")
            let ant = Product(name: "Ant", description: "Small", image: "ant.png")
            #expect(try await products.get() == [])
            for added in [[], [black, tea], [ant]] { try await database.insert(added) }
            #expect(try await products.get() == [black, tea, ant])
            let white = Product(name: "Cafe\u{301}", description: "White", image: "b")
            let zebra = Product(name: "Zebra\u{1}", description: "", image: "")
            try await database.insert([white, zebra])
            #expect(try await products.get() == [white, tea, ant, zebra])
        },
        Behaviour("if one product cannot be added, none is added") { databases in
            let (database, products) = (databases[0], DatabaseProducts(databases[0]))
            try await database.write([rejectLastProduct()])
            await #expect(throws: CollaboratorError.outage(of: "products")) {
                try await database.insert([tea, Product(name: "last", description: "", image: "")])
            }
            #expect(try await products.get().isEmpty)
        },
        Behaviour("one cleaning removes all sessions that exceed a limit, however many") { databases in
            let database = databases[0]
            for (limits, counts) in SessionLimitSuite.cleanings {
                try await database.write([addSessions()])
                let now = Timestamp.ms(10_000)
                #expect(try await database.sessions { 0 }.removeSessions(exceeding: limits, at: now) == counts)
                #expect(try await number(of: "session", in: database) == 5_000 - counts.expired - counts.evicted)
                try await database.write([deleteSessions()])
            }
        },
        Behaviour("an operator reads the sessions of an account, which stay stored") { databases in
            let session = SessionStoreSuite.session(1, user: ada.id.text)
            let store = databases[0].sessions { 0 }
            try await store.save([session, SessionStoreSuite.session(2)])
            let change = SessionStoreSuite.change(3, user: ada.id.text, lastUsed: 3_000)
            try await store.commit(change)
            var shared = change.session
            shared.events = [StoredEvent(version: 1, content: change.event)]
            #expect(try await databases[0].storedSessions(of: ada.id) == [session, shared])
            #expect(try await store.take(limit: 9).count == 3)
        },
        Behaviour("thousands of sessions are saved in one transaction") { databases in
            let store = databases[0].sessions { 0 }
            let saved = (0..<5000).map { SessionStoreSuite.session($0, lastUsed: Int64($0)) }
            try await store.save(saved)
            #expect(try await store.take(limit: 9999) == saved)
        },
    ]

    static func test(_ sql: SQLText) -> SQLStatement { SQLStatement("test", sql) }

    static let damageRevocation = test(
        """
        UPDATE session_revocation SET number = CAST($1 AS bigint)
        WHERE account_id = (SELECT id FROM account WHERE username = 'ada ' || CAST($1 AS bigint))
        """
    )
    static let damageLastRevocation = test(
        SQLText(
            postgreSQL: "UPDATE session_revocation_counter SET last = $1",
            sqlite: "UPDATE sqlite_sequence SET seq = ?1"
        )
    )
    static let damageThrottle = test("UPDATE throttle SET failures = $1, last_failure = $1, refused = $1")
    static let damageAccount = test("UPDATE account SET created = $1")

    /// Adds 5,000 sessions, as `SessionLimitSuite.cleanings` expects them.
    package static let addSessions = test(
        SQLText(
            postgreSQL: """
                INSERT INTO session (id, version, created, last_used, address, size, content)
                SELECT sha256(n::text::bytea), 2, n, n, '\\x01', 1000, '{}' FROM generate_series(1, 5000) AS n
                """,
            sqlite: """
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 5000)
                INSERT INTO session (id, version, created, last_used, address, size, content)
                SELECT randomblob(16), 2, n, n, x'01', 1000, x'7B7D' FROM number
                """
        )
    )

    static let deleteSessions = test("DELETE FROM session")

    static let rejectLastProduct = test(
        SQLText(
            postgreSQL: "ALTER TABLE product ADD CHECK (name <> 'last')",
            sqlite: """
                CREATE TRIGGER full BEFORE INSERT ON product WHEN new.name = 'last' BEGIN SELECT RAISE(ABORT, 'full'); END
                """
        )
    )

    /// The number of rows of a table.
    static func number(of table: String, in database: any SQLDatabase) async throws -> Int {
        let count = SQLStatement("test", SQLText(stringLiteral: "SELECT count(*) FROM \(table)"))
        return try await database.read(of: .accounts) { try $0.execute(count())[0].number(0) }
    }

    static let tea = Product(name: "Tea", description: "Green", image: "tea.png")
}
