@testable import Accounts

@Suite(.fiveMinutes) struct AccountServiceTests: AccountSuite {
    let fixture: AccountFixture
    let bruce = ClientContext(address: IPAddress("203.0.113.7"), requestID: "r")
    let account: Account

    init() async throws {
        let limits = AccountRateLimits(
            failedLogins: AddressLimit(Rate(1000, per: .seconds(10))),
            signups: AddressLimit(Rate(3, per: .seconds(30)))
        )
        fixture = try AccountFixture(limits)
        account = try await fixture.add("bruce@wayne.example", username: "Batman", password: "bruce")
    }

    /// Another service with the same store and clock.
    func other(_ limits: AccountRateLimits = .init(), hasher: PasswordHasher? = nil) -> AccountService {
        AccountService(counting, hasher: hasher ?? self.hasher, clock: clock, audit: audit, rateLimits: limits)
    }

    /// Three servers that share a database.
    var nodes: [AccountService] { (1...3).map { _ in other() } }

    func logIn(
        _ password: String,
        as username: String = "batman",
        to service: AccountService? = nil,
        from client: ClientContext? = nil
    ) async throws -> User? {
        try await (service ?? self.service).authenticate(username: username, password: password, for: client ?? bruce)
    }

    func client(_ address: String, isForwarded: Bool = false) -> ClientContext {
        ClientContext(address: IPAddress(address), isForwarded: isForwarded)
    }

    var failures: FailureCount { get async throws { try await store.update(.account(account.id)) { $0 } } }

    /// Expects a limit to reject a call, for that many seconds.
    func expectLimit<Result>(_ seconds: Int, _ call: () async throws -> Result) async {
        await #expect(throws: CollaboratorError.tooManyRequests(retryAfter: .seconds(seconds))) { _ = try await call() }
    }

    // MARK: Login

    @Test func `the correct password logs its user in, with the name in any case`() async throws {
        for name in ["Batman", "batman", "BATMAN"] {
            #expect(try await logIn("bruce", as: name) == User(username: "Batman", id: account.id.text))
        }
        #expect(audit.kinds == [.login, .login, .login])
        #expect(audit.events.first?.account == account.id)
    }

    @Test(arguments: ["", "Bruce", "bruce ", " bruce", "bruce\0", "bruc"])
    func `any other password fails`(password: String) async throws {
        #expect(try await logIn(password) == nil)
        #expect(audit.reasons == ["wrongPassword"])
    }

    @Test func `unknown, disabled and throttled accounts get the same response for the same work`() async throws {
        try await store.change(account.id) { $0.isDisabled = true }
        #expect(try await logIn("bruce") == nil)
        #expect(try await logIn("bruce", as: "joker") == nil)
        #expect(audit.reasons == ["disabled", "unknownUser"])
        #expect(counting.calls.updates == 2)
        #expect(hasher.load.done == 3)
    }

    @Test func `after five failures even the correct password fails until the delay is over, for the same work`()
        async throws
    {
        for _ in 1...5 { #expect(try await logIn("joker") == nil) }
        for _ in 1...2 { #expect(try await logIn("bruce") == nil) }
        #expect(audit.reasons.suffix(3) == ["wrongPassword", "throttled", "throttled"])
        #expect(counting.calls.updates == 7)
        #expect(hasher.load.done == 8)
        #expect(try await failures == FailureCount(failures: 5, lastFailure: clock.now, refused: 2))
        clock.advance(by: .seconds(30))
        #expect(try await logIn("bruce") != nil)
        #expect(try await failures == FailureCount())
    }

    @Test func `names without an account are throttled`() async throws {
        for _ in 1...6 { #expect(try await logIn("bruce", as: "joker") == nil) }
        #expect(try await store.update(.unknownName(AccountKey("joker"))) { $0.failures } == 5)
    }

    @Test func `a name without an account waits for no other name, although they share a count, as an account does`()
        async throws
    {
        #expect(ThrottleKey.unknownName(AccountKey("joker")) == .unknownName(AccountKey("joker5780")))
        counting.whileUpdating.value = { _ = try? await logIn("bruce", as: "joker5780") }
        #expect(try await logIn("bruce", as: "joker") == nil)
        #expect(audit.reasons == ["unknownUser", "unknownUser"])
    }

    @Test(arguments: [true, false])
    func `simultaneous logins with the right password all succeed, on several servers`(isDeferred: Bool) async throws {
        let nodes = nodes
        // With sessions in the database, an event resets the count with its commit, long after the verification.
        let work = isDeferred ? UnitOfWork(database: ObjectIdentifier(store as AnyObject)) : nil
        let succeeded = try await concurrently(60) { index in
            let client = client("203.0.113.\(index)")
            return try await UnitOfWork.$ofTask.withValue(work) {
                try await logIn(index == 0 ? "joker" : "bruce", to: nodes[index % 3], from: client) != nil
            }
        }
        #expect(succeeded.count { $0 } == 59)
        #expect(audit.reasons == ["wrongPassword"])
        #expect(try await failures.failures <= 2)
    }

    @Test func `simultaneous logins all succeed while one of them replaces the hash`() async throws {
        let dearer = other(hasher: try PasswordHasher(cost: Argon2Cost(memory: 16, iterations: 1), workers: 2))
        #expect(try await concurrently(20) { _ in try await logIn("bruce", to: dearer) != nil }.count { $0 } == 20)
        #expect(audit.reasons.isEmpty)
    }

    @Test func `of 200 simultaneous wrong passwords on several servers, at most five are verified`() async throws {
        let nodes = nodes
        try await concurrently(200) { index in
            // Some are rejected because too many wait.
            try? await logIn("\(index)", to: nodes[index % 3], from: client("203.0.113.\(index)"))
        }
        #expect(audit.reasons.count { $0 == "wrongPassword" } == 5)
        #expect(try await failures.failures == 5)
    }

    @Test func `an attempt that was not verified does not count`() async throws {
        let cost = try Argon2Cost(memory: 64 * 1024, iterations: 4)
        let full = other(hasher: PasswordHasher(cost: cost, workers: 1, maximumWaiting: 0))
        let refused = try await concurrently(20) { _ in
            do {
                return try await logIn("joker", to: full) != nil
            } catch {
                return error as? CollaboratorError == .overloaded(retryAfter: .seconds(1))
            }
        }
        let count = refused.count { $0 }
        #expect(count > 0)
        #expect(try await failures.failures <= 20 - count)
    }

    @Test func `a login fails if the account is disabled during the verification`() async throws {
        counting.whileUpdating.value = { [store] in
            _ = try? await store.change(account.id, revokingSessions: true) { $0.isDisabled = true }
        }
        #expect(try await logIn("bruce") == nil)
    }

    @Test func `a login fails if the password is changed during the verification`() async throws {
        let newHash = try await hasher.hash("alfred")
        let hasher = slowHasher()
        let slow = strict(failures: 9, hasher: hasher)
        try await hasher.threads.whileBusy { release in
            let login = Task { try await logIn("bruce", to: slow) }
            try await waitUntil { hasher.load.waiting == 1 }
            try await store.change(account.id, revokingSessions: true) { $0.passwordHash = newHash }
            release()
            #expect(try await login.value == nil)
        }
        #expect(audit.kinds == [.loginFailed])
        #expect(try await store.revocations == [SessionRevocation(number: 1, account: account.id)])
        // It counts as a failure, for the account and for the address.
        #expect(try await failures.failures == 1)
        #expect(try await logIn("alfred", to: slow) != nil)
    }

    @Test func `a cheap hash is replaced at the next login`() async throws {
        let dearer = other(hasher: try PasswordHasher(cost: Argon2Cost(memory: 16, iterations: 1), workers: 1))
        #expect(try await logIn("joker", to: dearer) == nil)
        #expect(try await store.account(account.id)?.passwordHash == account.passwordHash)
        #expect(try await logIn("bruce", to: dearer) != nil)
        #expect(try await store.account(account.id)?.passwordHash.contains("m=16,t=1") == true)
        #expect(try await logIn("bruce", to: dearer) != nil)
        #expect(try await store.revocations.isEmpty)
    }

    @Test(arguments: PasswordHashTests.hashes)
    func `a hash of another system is replaced at the first login`(hash: String) async throws {
        let account = Account(name: "Selina", email: "selina@wayne.example", passwordHash: hash, created: clock.now)
        try await store.add(account)
        #expect(try await logIn("joker", as: "selina@wayne.example") == nil)
        #expect(try await store.account(account.id)?.passwordHash == hash)
        #expect(try await logIn("correct horse battery", as: "selina@wayne.example") != nil)
        #expect(try await store.account(account.id)?.passwordHash.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$") == true)
        #expect(try await logIn("joker", as: "selina@wayne.example") == nil)
        #expect(try await logIn("correct horse battery", as: "selina@wayne.example") != nil)
        #expect(try await store.revocations.isEmpty)
    }

    @Test func `a login from an address with too many failed ones is rejected without counting, also by a later limit`()
        async throws
    {
        let strict = strict(failures: 2)
        for _ in 1...2 { #expect(try await logIn("joker", to: strict) == nil) }
        await expectLimit(10) { try await logIn("bruce", to: strict) }
        #expect(try await failures.failures == 2)
        #expect(try await logIn("bruce", to: strict, from: client("203.0.113.8")) != nil)
        // It counts the earlier ones.
        strict.reload(AccountRateLimits(failedLogins: AddressLimit(Rate(3, per: .seconds(20)))))
        #expect(try await logIn("joker", to: strict) == nil)
        await #expect(throws: CollaboratorError.self) { try await logIn("joker", to: strict) }
    }

    /// A service that allows the given number of failed logins from one address in 20 seconds.
    func strict(failures: Int, hasher: PasswordHasher? = nil) -> AccountService {
        other(AccountRateLimits(failedLogins: AddressLimit(Rate(failures, per: .seconds(20)))), hasher: hasher)
    }

    @Test func `of a hundred simultaneous logins from one address, as many as may fail are verified`() async throws {
        let strict = strict(failures: 30, hasher: PasswordHasher(cost: hasher.cost, maximumWaiting: 100))
        let limited = try await concurrently(100) { index in
            do { return try await logIn("x", as: "\(index)", to: strict) != nil } catch { return true }
        }
        #expect(limited.count { $0 } == 70)
        #expect(strict.hasher.load.done == 30)
    }

    @Test func `a client behind a trusted proxy is limited, even at a loopback address`() async throws {
        let strict = strict(failures: 1)
        let client = client("127.0.0.1", isForwarded: true)
        #expect(try await logIn("joker", to: strict, from: client) == nil)
        await expectLimit(20) { try await logIn("joker", to: strict, from: client) }
        for index in 1...3 { try await signUp("\(index)@rules.example", from: client) }
        await expectLimit(10) { try await signUp("4@rules.example", from: client) }
    }

    @Test func `a login that is cancelled before its verification does not count`() async throws {
        let before = FailureCount(failures: 4, lastFailure: clock.now)
        try await store.update(.account(account.id)) { $0 = before }
        clock.advance(by: .seconds(5))
        let hasher = slowHasher()
        let strict = strict(failures: 1, hasher: hasher)
        try await hasher.threads.whileBusy { release in
            for _ in 1...2 {
                let login = Task { try await logIn("joker", to: strict) }
                try await waitUntil { hasher.load.waiting == 1 }
                login.cancel()
                await #expect(throws: CancellationError.self) { try await login.value }
                let after = try await failures
                #expect(after == before)
            }
            release()
        }
        #expect(try await logIn("bruce", to: strict) != nil)
    }

    @Test func `the number of verified logins from one address is limited, even if they succeed`() async throws {
        let limits = AccountRateLimits(
            logins: AddressLimit(Rate(3, per: .seconds(30))),
            failedLogins: AddressLimit(Rate(1, per: .seconds(20)))
        )
        let strict = other(limits)
        #expect(try await logIn("joker", to: strict) == nil)
        // A login that the limit of failed logins rejects does not count as a verified one.
        for _ in 1...5 { await expectLimit(20) { try await logIn("joker", to: strict) } }
        clock.advance(by: .seconds(20))
        // Nor does a successful login count as a failed one.
        for _ in 1...3 { #expect(try await logIn("bruce", to: strict) != nil) }
        await expectLimit(10) { try await logIn("bruce", to: strict) }
        for address in ["203.0.113.8", "127.0.0.1"] {
            #expect(try await logIn("bruce", to: strict, from: client(address)) != nil)
        }
    }

    @Test func `a flood of logins to one account rejects and delays no login to another one`() async throws {
        try await add("diana@example.org", password: "wonder")
        let hasher = slowHasher(waiting: 8)
        let busy = strict(failures: 1000, hasher: hasher)
        try await hasher.threads.whileBusy { release in
            try await withThrowingTaskGroup(of: Bool.self) { flood in
                for _ in 0..<90 {
                    let login = Task { try await logIn("bruce", to: busy) }
                    flood.addTask {
                        do { return try await login.value != nil } catch CollaboratorError.overloaded { return false }
                    }
                }
                // One password waits for a thread, and eight logins for their turn.
                for _ in 0..<81 { #expect(try await flood.next() == false) }
                let others = [bruce, client("2001:db8::1")].map { client in
                    Task { try await logIn("wonder", as: "diana@example.org", to: busy, from: client) }
                }
                let signup = Task { try await signUp("new@example.org", to: busy, from: client("2001:db8:1::1")) }
                try await waitUntil { hasher.load.waiting == 3 }
                release()
                for other in others { #expect(try await other.value != nil) }
                try await signup.value
                for try await hasSucceeded in flood { #expect(hasSucceeded) }
                #expect(hasher.load.rejected == 0)
            }
        }
    }

    // MARK: Sign-up

    func signUp(
        _ email: String = "lisa@rules.example",
        password: String = "bobcat",
        to service: AccountService? = nil,
        from client: ClientContext? = nil
    ) async throws {
        try await (service ?? self.service).signUp(name: "Lisa", email: email, password: password, for: client ?? bruce)
    }

    @Test func `a user who has signed up can log in`() async throws {
        try await signUp()
        let account = try #require(try await storedAccount())
        #expect(account.name == "Lisa")
        #expect(account.created == clock.now)
        #expect(try await logIn("bobcat", as: "lisa@rules.example") == account.user)
        #expect(audit.kinds == [.signup, .login])
    }

    @Test func `a sign-up with an existing email address succeeds and leaves the account unchanged`() async throws {
        try await signUp()
        let before = try await storedAccount()
        try await signUp("LISA@rules.example", password: "maggie")
        #expect(try await storedAccount() == before)
        #expect(audit.kinds == [.signup, .signupOfExisting])
        // The second sign-up makes one write as well: of a count, instead of an account.
        #expect(counting.calls.updates == 1)
        #expect(audit.events.last?.account == before?.id)
        #expect(try await logIn("maggie", as: "lisa@rules.example") == nil)
    }

    @Test func `a sign-up takes the same reads and the same write, whether its address is known or not`() async throws {
        for _ in 1...2 {
            let effort = try await work { try await signUp(from: ClientContext()) }
            #expect([effort[0], effort[1] + effort[2], effort[3]] as [Int] == [2, 1, 1])
        }
    }

    @Test func `a sign-up with another account's username succeeds and creates no account`() async throws {
        try await store.add(
            Account(name: "", email: "a@b.example", username: "c@d.example", passwordHash: "", created: clock.now)
        )
        try await signUp("C@d.example")
        #expect(audit.kinds == [.signupOfExisting])
        #expect(try await storedAccount("c@d.example") == nil)
    }

    @Test func `of many simultaneous sign-ups with one address, all succeed and one creates an account`() async throws {
        try await concurrently(8) { try await signUp(from: client("203.0.113.\($0)")) }
        #expect(audit.kinds.count { $0 == .signup } == 1)
        #expect(audit.kinds.count { $0 == .signupOfExisting } == 7)
    }

    @Test func `the number of sign-ups from one address is limited`() async throws {
        for index in 1...3 { try await signUp("\(index)@rules.example") }
        await expectLimit(10) { try await signUp("4@rules.example") }
        #expect(try await storedAccount("4@rules.example") == nil)
    }

    // MARK: Data of an account

    @Test func `a user ID and a contact address are saved in the account of the logged-in user`() async throws {
        let client = client(of: account)
        #expect(try await service.save(userID: "012345678912", for: client))
        #expect(try await service.savedEmail(for: client) == nil)
        #expect(try await service.save(email: "cave@wayne.example", for: client))
        #expect(try await service.savedEmail(for: client) == "cave@wayne.example")
        let changed = try await store.account(account.id)
        #expect(changed?.userID == "012345678912")
        #expect(changed?.contactEmail == "cave@wayne.example")
        #expect(changed?.email == "bruce@wayne.example")
        // The user may save the same values again, which changes and records nothing.
        #expect(try await service.save(userID: "012345678912", for: client))
        #expect(try await service.save(email: "cave@wayne.example", for: client))
        #expect(audit.reasons == ["userID", "contactEmail"])
    }

    @Test func `a user ID of another account is rejected`() async throws {
        try await signUp()
        let lisa = try #require(try await storedAccount())
        #expect(try await service.save(userID: "012345678912", for: client(of: lisa)))
        #expect(try await !service.save(userID: "012345678912", for: client(of: account)))
        #expect(try await store.account(account.id)?.userID == nil)
    }

    @Test func `without an account, a user ID is accepted and an address is not, and neither is saved`() async throws {
        for client in [bruce, ClientContext(user: User(username: "Robin", id: "gone"))] {
            #expect(try await service.save(userID: "012345678912", for: client))
            #expect(try await !service.save(email: "cave@wayne.example", for: client))
            #expect(try await service.savedEmail(for: client) == nil)
        }
        #expect(audit.kinds.isEmpty)
    }

    @Test func `the audit log contains no passwords and no hashes`() async throws {
        try await signUp(password: "canary-1")
        _ = try await logIn("canary-2", as: "lisa@rules.example")
        _ = try await logIn("canary-4", as: "canary-3")
        _ = try await logIn("canary-1", as: "lisa@rules.example")
        let log = audit.events.map(\.json).joined(separator: "\n")
        #expect(!log.contains("canary"))
        #expect(!log.contains("argon2"))
        #expect(!log.contains("lisa@"))
        #expect(audit.events.count == 4)
    }
}
