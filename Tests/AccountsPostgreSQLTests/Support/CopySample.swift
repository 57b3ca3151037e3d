import AccountsSQLite

/// Rows of every kind.
enum Sample {
    static let time = Timestamp.ms(1_000)
    static let products = [Product.bat, Product(name: "\u{1}é\u{1F987}", description: "", image: "\u{1}")]

    static func device(_ number: UInt8, _ account: Account) -> Device {
        Device(key: DeviceKey(bytes: [number, 0, 255]), account: account.id, expires: .ms(9_000))
    }

    static let passkey = Passkey(
        id: [0, 255],
        algorithm: .edDSA,
        publicKey: [0, 255],
        isBackupEligible: true,
        counter: .max,
        isBackedUp: true
    )

    /// Adds 2,503 accounts, and rows to all other tables.
    static func fill(_ database: SQLiteDatabase) async throws {
        var (ada, bob) = (Account.ada, Account.sample("bob", userID: "user\u{1}é"))
        ada.isDisabled = true
        bob.contactEmail = "é\u{1}@example.org"
        bob.factors.passkeys = [AccountPasskey(passkey, name: "\u{1}é", created: time)]
        let eve = Account.sample("z\u{1}É\u{FFFD}\u{1F987}", created: -1)
        try await database.add((0..<2_500).map { Account.sample("name \($0)") } + [ada, bob, eve])
        try await database.revokeSessions(of: ada.id)
        let removed = Account.sample("removed")
        try await database.add(removed)
        _ = try await database.remove(removed.id)
        try await database.update(.account(ada.id)) { $0.failures = 3 }
        try await database.update(.account(eve.id)) { $0 = FailureCount(failures: 1, lastFailure: time, refused: 2) }
        try await database.update(.unknownName(65_535)) { $0.refused = 7 }
        for (number, account) in [bob, eve].enumerated() {
            _ = try await database.addDevice(device(UInt8(number), account), replacing: nil, limit: 9, at: time)
        }
        try await database.addProducts(products)
        await addAuditRecords(database)
        try await addMails(database)
        try await addSessions(database, users: [ada, bob, eve].map(\.id.text))
    }

    static func addAuditRecords(_ database: SQLiteDatabase) async {
        let log = DatabaseAuditLog(database) { Issue.record($1) }
        for number in 1...3 { await log.record(AuditEvent(.login, at: time, account: AccountID("\(number)\u{1}é"))) }
    }

    static func addMails(_ database: SQLiteDatabase) async throws {
        let outbox = DatabaseOutbox(database, clock: ManualClock(now: time))
        try await outbox.add(
            Mail(id: "1\u{1}", recipient: "é\u{1}", subject: "", text: "\u{1}", html: "<p>", expires: time)
        )
        try await outbox.add(Mail(id: "2", recipient: "ada@example.org", subject: "Hello", text: "Hello!\n"))
        _ = try await outbox.claim(limit: 1)
        try await outbox.recordFailure(of: "2", reason: "\u{1}", retryingAt: nil)
    }

    static func addSessions(_ database: SQLiteDatabase, users: [String]) async throws {
        let store = database.sessions { 2 }
        try await store.save(
            (0..<250).map { SessionStoreSuite.session($0 + 1_000, user: $0 < 3 ? users[$0] : nil, lastUsed: Int64($0)) }
        )
        for version in 0..<250 { try await store.commit(SessionStoreSuite.change(1, version: version, user: users[0])) }
        var second = SessionStoreSuite.change(2)
        second.session = SessionStoreSuite.session(2, address: [0, 1, 255])
        try await store.commit(second)
        _ = try await store.addressKey
        let login = SessionChange.UserChange(
            replacedID: SessionStoreSuite.session(2).id,
            response: [0, 1, 2],
            time: time,
            lastRevocation: 2
        )
        let replaced = SessionStoreSuite.change(3, version: 1, user: users[1], oldestEvent: 2, userChange: login)
        try await store.commit(replaced)
        let ended = SessionStoreSuite.change(5, key: "ended")
        for change in [SessionStoreSuite.change(4, key: "key"), ended] { try await store.commit(change) }
        try await store.end(ended.session.id)
    }
}

extension Product {
    static let bat = Product(name: "Bat", description: "Flies.", image: "bat.png")
}
