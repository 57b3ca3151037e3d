import AccountStoreSuite
import AccountsDatabase
import Accounts
import AccountsPostgreSQL
import BusinessLogic
import PostgreSQL
import Testing
import SQLStatements

@Suite(.timeLimit(.minutes(5)), .serialized)
struct SharingTests {
    /// Calls `body` with two servers that share a database.
    private func withServers(_ body: ([PostgreSQLDatabase]) async throws -> Void) async throws {
        try await TestSchema.with { schema in
            try await withDatabase(schema.uri) { one in
                try await withDatabase(schema.uri) { other in try await body([one, other]) }
            }
        }
    }

    @Test(arguments: DatabaseSuite.behaviours)
    func `a database that servers share conforms`(_ behaviour: Behaviour<[any SQLDatabase]>) async throws {
        try await withServers { try await behaviour.check($0) }
    }

    @Test func `failures are counted only for accounts that have some`() async throws {
        try await withServers { servers in
            let ada = Account.sample("ada")
            try await servers[0].add(ada)
            try await servers[1].update(.account(ada.id)) { $0.failures = 1 }
            #expect(try await servers[0].failureCounts(of: [ada.id, .random()]) == [ada.id: FailureCount(failures: 1)])
            #expect(try await servers[0].remove(ada.id))
            #expect(try await servers[1].failureCounts(of: [ada.id]).isEmpty)
        }
    }

    @Test func `a failed login is committed before the update returns`() async throws {
        try await TestSchema.with { schema in
            try await withDatabase(schema.uri) { database in
                for number in 1...5 {
                    try await database.update(.unknownName(1)) { $0.failures += 1 }
                    #expect(try await schema.number("SELECT sum(failures)::bigint FROM throttle") == number)
                }
            }
        }
    }

    @Test func `a reader of revocations misses none that is committed at the same time`() async throws {
        try await withServers { servers in
            let accounts = (0..<8).map { Account.sample("\($0)") }
            try await servers[0].add(accounts)
            let writing = Task {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (index, account) in accounts.enumerated() {
                        group.addTask {
                            for _ in 0..<20 {
                                try await servers[index % 2].change(account.id, revokingSessions: true) { _ in }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            // Follows the revocations as a server does. The last revocation that it reads of each account must be the latest one.
            var latest: [AccountID: Int] = [:]
            var last = 0
            while last < 160 {
                for revocation in try await servers[1].sessionRevocations(after: last) {
                    #expect(revocation.number > last)
                    last = revocation.number
                    latest[revocation.account] = revocation.number
                }
            }
            try await writing.value
            let all = try await servers[0].sessionRevocations(after: 0)
            #expect(all.count == accounts.count)
            for revocation in all { #expect(latest[revocation.account] == revocation.number) }
        }
    }

    @Test func `a revocation waits for one with a lower number that is not committed yet`() async throws {
        try await TestSchema.with { schema in
            try await withDatabase(schema.uri) { database in
                let ada = Account.sample("ada")
                try await database.add(ada)
                let revoking = try await schema.whileOpen([SQLStep(.takeNumber), SQLStep(.revokeSessionsOfOther)]) {
                    let revoking = Task { _ = try await database.change(ada.id, revokingSessions: true) { _ in } }
                    while try await schema.number(Self.waitingRevocations) == 0 { await Task.yield() }
                    #expect(try await database.sessionRevocations(after: 0).isEmpty)
                    return revoking
                }
                try await revoking.value
                #expect(try await database.sessionRevocations(after: 0).map(\.number) == [1, 2])
            }
        }
    }

    private static let waitingRevocations = """
        SELECT count(*) FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND query LIKE '/* understudy revoke sessions */%'
        """

    @Test func `an account never has more devices than its limit`() async throws {
        try await withServers { servers in
            let ada = Account.sample("ada")
            try await servers[0].add(ada)
            let now = Timestamp(milliseconds: 0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let key = DeviceKey(bytes: [UInt8(number)])
                        let device = Device(key: key, account: ada.id, expires: now + .seconds(100 + number))
                        _ = try await servers[number % 2].addDevice(device, replacing: nil, limit: 3, at: now)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await servers[0].devices(of: ada.id).count == 3)
        }
    }

    @Test func `no account keeps a device that is added while its sessions are revoked`() async throws {
        try await withServers { servers in
            let now = Timestamp(milliseconds: 0)
            for number in 0..<20 {
                let account = Account.sample("\(number)")
                try await servers[0].add(account)
                let device = Device(
                    key: DeviceKey(bytes: [UInt8(number)]),
                    account: account.id,
                    expires: now + .seconds(9)
                )
                async let added = servers[0].addDevice(device, replacing: nil, limit: 3, at: now)
                async let removed = servers[1].remove(account.id)
                _ = try await (added, removed)
                #expect(try await servers[0].device(device.key) == nil)
            }
        }
    }

    @Test(arguments: [.max, .min, -1, 0] as [Int])
    func `damaged numbers neither hide a later revocation nor end a server`(number: Int) async throws {
        try await TestSchema.with { schema in
            try await withDatabase(schema.uri) { database in
                let (ada, bob) = (Account.sample("ada"), Account.sample("bob"))
                try await database.add([ada, bob])
                try await database.change(ada.id, revokingSessions: true) { _ in }
                try await database.update(.account(ada.id)) { $0.failures = 1 }
                for change in [
                    "session_revocation SET number", "session_revocation_counter SET last", "throttle SET failures",
                    "throttle SET last_failure", "throttle SET refused", "account SET created",
                ] { try await schema.execute("UPDATE \(change) = \(number)") }
                for _ in 0..<2 {
                    let last = try await database.sessionRevocations(after: 0).last?.number ?? 0
                    try await database.change(bob.id, revokingSessions: true) { _ in }
                    #expect(try await database.sessionRevocations(after: last).map(\.account) == [bob.id])
                }
                let count = try await database.update(.account(ada.id)) { $0 }
                #expect(count.failures == (number < 0 ? .max : number))
                #expect(count.lastFailure == Timestamp(milliseconds: Int64(number)))
                #expect(try await database.account(ada.id)?.created == Timestamp(milliseconds: Int64(number)))
            }
        }
    }
}

extension SQLStatement {
    fileprivate static let takeNumber = SQLStatement(
        "take number",
        postgreSQL: "UPDATE session_revocation_counter SET last = last + 1"
    )

    fileprivate static let revokeSessionsOfOther = SQLStatement(
        "revoke sessions of other",
        postgreSQL: "INSERT INTO session_revocation VALUES ('other', 1)"
    )
}
