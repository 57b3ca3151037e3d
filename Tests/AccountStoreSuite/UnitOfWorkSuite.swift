import Accounts
import SessionStorage
import TestSupport

/// The behaviour of every database in which an event's changes are committed together with its session.
public enum UnitOfWorkSuite {
    /// A database of accounts, devices and sessions.
    package struct Database: Sendable {
        let accounts: any AccountStore
        let sessions: any SessionStore

        package init(_ database: any SQLDatabase) {
            accounts = database
            sessions = database.sessions { 0 }
        }

        /// Runs the writes of an event.
        fileprivate func writing(_ body: () async throws -> Void) async throws -> [any StoreWrite] {
            let work = UnitOfWork(database: sessions.database)
            try await UnitOfWork.$ofTask.withValue(work) { try await body() }
            return work.writes
        }

        /// Whether the session with that number is stored.
        fileprivate func hasSession(_ number: Int) async throws -> Bool {
            try await sessions.find(SessionStoreSuite.session(number).id, unlessVersion: 0) != .unknown
        }
    }

    private static let ada = Account.sample("ada")
    private static let bob = Account.sample("bob")

    private static let device = Device(
        key: DeviceKey(bytes: [1, 2, 3]),
        account: ada.id,
        expires: Timestamp(milliseconds: 9_000)
    )

    /// All behaviours. Check each with an empty database.
    package static let behaviours: [Behaviour<Database>] = [
        Behaviour("what an event writes is stored with its session, and not before") { database in
            let writes = try await database.writing { try await database.accounts.add([ada]) }
            #expect(try await database.accounts.account(ada.id) == nil)
            #expect(try await database.sessions.commit(SessionStoreSuite.change(1), with: writes) == .committed)
            #expect(try await database.accounts.account(ada.id) == ada)
            #expect(try await database.hasSession(1))
        },
        Behaviour("repeating a commit does not repeat its writes") { database in
            let writes = try await database.writing { try await database.accounts.add([.sample("ada")]) }
            #expect(try await database.sessions.commit(SessionStoreSuite.change(1), with: writes) == .committed)
            #expect(try await database.sessions.commit(SessionStoreSuite.change(1), with: writes) == .committed)
        },
        Behaviour("a conflict that is known before the commit is reported at once") { database in
            let first = Account.sample("ada", userID: "1")
            try await database.accounts.add([first, bob])
            for account in [first, .sample("eve", userID: "1")] {
                _ = try await database.writing {
                    await #expect(throws: AccountConflict.self) { try await database.accounts.add([account]) }
                    await #expect(throws: AccountConflict.userID) {
                        try await database.accounts.change(bob.id, revokingSessions: false) {
                            $0.userID = "1"
                        }
                    }
                }
            }
        },
        Behaviour("a conflict that arises before the commit stores nothing") { database in
            let eve = Account.sample("eve")
            let writes = try await database.writing {
                try await database.accounts.add([eve, .sample("ada")])
            }
            try await database.accounts.add([ada])
            #expect(try await database.sessions.commit(SessionStoreSuite.change(1), with: writes) == .conflict)
            #expect(try await !database.hasSession(1))
            #expect(try await database.accounts.account(eve.id) == nil)
        },
        Behaviour("an old version of the session stores nothing") { database in
            let writes = try await database.writing { try await database.accounts.add([ada]) }
            let late = SessionStoreSuite.change(1, version: 1)
            #expect(try await database.sessions.commit(late, with: writes) == .conflict)
            #expect(try await database.accounts.account(ada.id) == nil)
        },
        Behaviour("a change of an account is stored with the session, unless the account has changed meanwhile") {
            database in
            try await database.accounts.add([ada])
            let first = try await database.writing {
                let changed = try await database.accounts.change(ada.id, revokingSessions: false) { $0.userID = "1" }
                #expect(changed?.userID == "1")
            }
            let second = try await database.writing {
                try await database.accounts.change(ada.id, revokingSessions: false) { $0.contactEmail = "a@b.example" }
                let missing = try await database.accounts.change(AccountID("x"), revokingSessions: false) { _ in }
                #expect(missing == nil)
            }
            #expect(try await database.accounts.account(ada.id) == ada)
            #expect(try await database.sessions.commit(SessionStoreSuite.change(1), with: first) == .committed)
            #expect(try await database.sessions.commit(SessionStoreSuite.change(2), with: second) == .conflict)
            let stored = try await database.accounts.account(ada.id)
            #expect(stored?.userID == "1")
            #expect(stored?.contactEmail == nil)
            #expect(try await !database.hasSession(2))
        },
        Behaviour("a change that revokes sessions, and a removal, end them with the commit") { database in
            for (number, account) in [ada, bob].enumerated() {
                try await database.accounts.add([account])
                let session = SessionStoreSuite.change(number, user: account.id.text)
                #expect(try await database.sessions.commit(session, with: []) == .committed)
            }
            let writes = try await database.writing {
                try await database.accounts.change(ada.id, revokingSessions: true) { _ in }
                #expect(try await database.accounts.remove(bob.id))
                #expect(try await !database.accounts.remove(AccountID("x")))
            }
            #expect(try await database.hasSession(0))
            #expect(try await database.sessions.commit(SessionStoreSuite.change(7), with: writes) == .committed)
            #expect(try await !database.hasSession(0))
            #expect(try await !database.hasSession(1))
            #expect(try await database.accounts.sessionRevocations(after: 0).count == 2)
        },
        Behaviour("a device is added with the session, unless its account is disabled meanwhile") { database in
            func addDevice() async throws -> [any StoreWrite] {
                try await database.writing {
                    let isAdded = try await database.accounts.addDevice(
                        device,
                        replacing: nil,
                        limit: 20,
                        at: Timestamp(milliseconds: 0)
                    )
                    #expect(isAdded)
                }
            }
            try await database.accounts.add([ada])
            let writes = try await addDevice()
            #expect(try await database.accounts.device(device.key) == nil)
            #expect(try await database.sessions.commit(SessionStoreSuite.change(1), with: writes) == .committed)
            #expect(try await database.accounts.device(device.key) == device)
            let late = try await addDevice()
            try await database.accounts.change(ada.id, revokingSessions: true) { $0.isDisabled = true }
            #expect(try await database.sessions.commit(SessionStoreSuite.change(2), with: late) == .conflict)
            #expect(try await database.accounts.device(device.key) == nil)
        },
        Behaviour("the failures of a device are reset with the session") { database in
            try await database.accounts.add([ada])
            _ = try await database.accounts.addDevice(device, replacing: nil, limit: 20, at: Timestamp(milliseconds: 0))
            _ = try await database.accounts.updateFailures(of: device.key) { $0 = 3 }
            let writes = try await database.writing { try await database.accounts.resetFailures(of: device.key) }
            #expect(try await database.accounts.device(device.key)?.failures == 3)
            #expect(try await database.sessions.commit(SessionStoreSuite.change(1), with: writes) == .committed)
            #expect(try await database.accounts.device(device.key)?.failures == 0)
        },
        Behaviour("the failed logins of an account are reset with the session, and counted before") { database in
            let throttles = database.accounts
            let key = ThrottleKey.account(ada.id)
            let writes = try await database.writing {
                try await throttles.update(key) { $0.failures = 3 }
                try await throttles.reset(key)
            }
            #expect(try await throttles.update(key) { $0.failures } == 3)
            #expect(try await database.sessions.commit(SessionStoreSuite.change(1), with: writes) == .committed)
            #expect(try await throttles.update(key) { $0.failures } == 0)
        },
        Behaviour("a login and a simultaneous revocation leave no session") { database in
            try await database.accounts.add([ada])
            var lastRevocation = 0
            for number in 1...50 {
                let login = SessionStoreSuite.login(
                    number,
                    replacing: nil,
                    version: 0,
                    user: ada.id.text,
                    lastRevocation: lastRevocation
                )
                async let result = database.sessions.commit(login, with: [])
                async let revocation = database.accounts.change(ada.id, revokingSessions: true) { _ in }
                _ = try await (result, revocation)
                lastRevocation = try await database.accounts.sessionRevocations(after: 0).last?.number ?? 0
                #expect(try await !database.hasSession(number))
            }
        },
    ]
}
