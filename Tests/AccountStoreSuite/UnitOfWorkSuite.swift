/// The behaviour of every database in which an event's changes are committed together with its session.
public enum UnitOfWorkSuite {
    static let ada = Account.ada
    static let bob = Account.bob

    static let start = Timestamp.ms(0)

    static let device = Device(key: DeviceKey(bytes: [1, 2, 3]), account: ada.id, expires: start + .seconds(9))

    /// All behaviours. Check each with an empty database.
    package static let behaviours: [Behaviour<any SQLDatabase>] = [
        Behaviour("what an event writes is stored with its session, not before, and once") { database in
            let writes = try await database.writing { try await database.add([ada]) }
            #expect(try await database.account(ada.id) == nil)
            #expect(try await database.commit(1, with: writes) == .committed)
            #expect(try await database.account(ada.id) == ada)
            #expect(try await database.hasSession(1))
            #expect(try await database.commit(1, with: writes) == .committed)
        },
        Behaviour("a conflict that is known before the commit is reported at once") { database in
            let first = Account.sample("ada", userID: "1")
            try await database.add([first, bob])
            for account in [first, .sample("eve", userID: "1")] {
                _ = try await database.writing {
                    await #expect(throws: AccountConflict.self) { try await database.add([account]) }
                    await #expect(throws: AccountConflict.userID) {
                        try await database.change(bob.id) { $0.userID = "1" }
                    }
                }
            }
        },
        Behaviour("a conflict that arises before the commit stores nothing") { database in
            let eve = Account.sample("eve")
            let writes = try await database.writing { try await database.add([eve, .sample("ada")]) }
            try await database.add([ada])
            #expect(try await database.commit(1, with: writes) == .conflict)
            #expect(try await !database.hasSession(1))
            #expect(try await database.account(eve.id) == nil)
        },
        Behaviour("an old version of the session stores nothing") { database in
            let writes = try await database.writing { try await database.add([ada]) }
            #expect(try await database.commit(1, version: 1, with: writes) == .conflict)
            #expect(try await database.account(ada.id) == nil)
        },
        Behaviour("a change of an account is stored with the session, unless the account has changed meanwhile") {
            database in
            try await database.add([ada])
            let first = try await database.writing {
                let changed = try await database.change(ada.id) { $0.userID = "1" }
                #expect(changed?.userID == "1")
            }
            let second = try await database.writing {
                try await database.change(ada.id) { $0.contactEmail = "a@b.example" }
                #expect(try await database.change(AccountID("x")) { _ in } == nil)
            }
            #expect(try await database.account(ada.id) == ada)
            #expect(try await database.commit(1, with: first) == .committed)
            #expect(try await database.commit(2, with: second) == .conflict)
            let stored = try await database.account(ada.id)
            #expect(stored?.userID == "1")
            #expect(stored?.contactEmail == nil)
            #expect(try await !database.hasSession(2))
        },
        Behaviour("a change that revokes sessions, and a removal, end them with the commit") { database in
            for (number, account) in [ada, bob].enumerated() {
                try await database.add([account])
                #expect(try await database.commit(number, user: account.id.text, with: []) == .committed)
            }
            let writes = try await database.writing {
                try await database.change(ada.id, revokingSessions: true) { _ in }
                #expect(try await database.remove(bob.id))
                #expect(try await !database.remove(AccountID("x")))
            }
            #expect(try await database.hasSession(0))
            #expect(try await database.commit(7, with: writes) == .committed)
            #expect(try await !database.hasSession(0))
            #expect(try await !database.hasSession(1))
            #expect(try await database.revocations.count == 2)
        },
        Behaviour("a device is added with the session, unless its account is disabled meanwhile") { database in
            func addDevice() async throws -> [any StoreWrite] {
                try await database.writing { () async throws in
                    #expect(try await database.addDevice(device, replacing: nil, limit: 20, at: start))
                }
            }
            try await database.add([ada])
            let writes = try await addDevice()
            #expect(try await database.device(device.key) == nil)
            #expect(try await database.commit(1, with: writes) == .committed)
            #expect(try await database.device(device.key) == device)
            let late = try await addDevice()
            try await database.change(ada.id, revokingSessions: true) { $0.isDisabled = true }
            #expect(try await database.commit(2, with: late) == .conflict)
            #expect(try await database.device(device.key) == nil)
        },
        Behaviour("the failures of a device are reset with the session") { database in
            try await database.add([ada])
            _ = try await database.addDevice(device, replacing: nil, limit: 20, at: start)
            _ = try await database.updateFailures(of: device.key) { $0 = 3 }
            let writes = try await database.writing { try await database.resetFailures(of: device.key) }
            #expect(try await database.device(device.key)?.failures == 3)
            #expect(try await database.commit(1, with: writes) == .committed)
            #expect(try await database.device(device.key)?.failures == 0)
        },
        Behaviour("the failed logins of an account are reset with the session, and counted before") { database in
            let key = ThrottleKey.account(ada.id)
            let writes = try await database.writing {
                try await database.update(key) { $0.failures = 3 }
                try await database.reset(key)
            }
            #expect(try await database.update(key) { $0.failures } == 3)
            #expect(try await database.commit(1, with: writes) == .committed)
            #expect(try await database.update(key) { $0.failures } == 0)
        },
        Behaviour("a login and a simultaneous revocation leave no session") { database in
            try await database.add([ada])
            var lastRevocation = 0
            for number in 1...50 {
                let login = SessionStoreSuite.login(
                    number,
                    replacing: nil,
                    version: 0,
                    user: ada.id.text,
                    lastRevocation: lastRevocation
                )
                async let result = database.sessions { 0 }.commit(login)
                async let revocation = database.change(ada.id, revokingSessions: true) { _ in }
                _ = try await (result, revocation)
                lastRevocation = try await database.revocations.last?.number ?? 0
                #expect(try await !database.hasSession(number))
            }
        },
    ]
}

extension SQLDatabase {
    /// Runs the writes of an event.
    func working(_ event: () async throws -> Void) async throws -> UnitOfWork {
        let work = UnitOfWork(database: ObjectIdentifier(self))
        try await UnitOfWork.$ofTask.withValue(work) { try await event() }
        return work
    }

    fileprivate func writing(_ event: () async throws -> Void) async throws -> [any StoreWrite] {
        try await working(event).writes
    }

    /// Commits an event of the session with that number.
    func commit(
        _ session: Int,
        version: Int = 0,
        user: String? = nil,
        with writes: [any StoreWrite]
    ) async throws -> CommitResult {
        try await sessions { 0 }.commit(SessionStoreSuite.change(session, version: version, user: user), with: writes)
    }

    /// Runs an event of the session with that number, and commits it.
    func commit(_ session: Int, version: Int = 0, _ event: () async throws -> Void) async throws -> CommitResult {
        let work = try await working(event)
        let result = try await commit(session, version: version, with: work.writes)
        if result == .committed { await work.finish() }
        return result
    }

    /// Whether the session with that number is stored.
    fileprivate func hasSession(_ number: Int) async throws -> Bool {
        try await sessions { 0 }.find(number) != .unknown
    }
}
