@testable import Accounts

/// How ``AccountService`` treats devices on which users have logged in.
@Suite(.fiveMinutes) struct DeviceTests: AccountSuite {
    let fixture: AccountFixture
    let attacker = ClientContext(address: IPAddress("203.0.113.66"))
    let batman: User

    init() async throws {
        let many = Rate(10_000, per: .seconds(10))
        let limits = AccountRateLimits(logins: AddressLimit(many), failedLogins: AddressLimit(many))
        fixture = try AccountFixture(limits, maximumWaiting: 1000)
        batman = try await fixture.add("batman@wayne.example", username: "batman", password: "bruce", isConfirmed: true)
            .user
    }

    func logIn(_ password: String, _ client: ClientContext, username: String = "batman") async throws -> Bool {
        try await service.authenticate(username: username, password: password, for: client) != nil
    }

    /// Fails as often as locks the account.
    func attack() async throws { for _ in 1...5 { #expect(try await !logIn("joker", attacker)) } }

    /// A client that presents the token of one of the user's devices.
    func device(of user: User) async throws -> ClientContext {
        let token = try #require(try await service.issueDeviceToken(to: user, ClientContext()))
        return ClientContext(address: IPAddress("203.0.113.7"), deviceToken: token)
    }

    func failures(of user: User) async throws -> Int {
        let id = try #require(user.id)
        return try await store.update(.account(AccountID(id))) { $0.failures }
    }

    func failures(of client: ClientContext) async throws -> Int? {
        try await store.device(DeviceKey(token: client.deviceToken ?? ""))?.failures
    }

    // MARK: Agents

    @Test func `an agent has a user until it expires or is ended, and is no device`() async throws {
        let client = ClientContext(user: batman)
        let grant = AgentGrant(name: "Claude", mayChange: false)
        let token = try #require(try await service.addAgent(grant, days: 2, for: client)).token
        let (user, agent) = try #require(try await service.agent(withToken: token))
        #expect(user == batman)
        #expect(agent.name == "Claude" && !agent.mayChange)
        #expect(try await service.agent(withToken: token + "0") == nil)
        let deviceToken = try #require(try await service.issueDeviceToken(to: batman, ClientContext()))
        #expect(try await service.agent(withToken: deviceToken) == nil)
        let details = try #require(try await service.details(of: client))
        #expect(details.devices.count == 1)
        #expect(details.agents == [agent])
        // Someone else may have done it.
        #expect(mails == ["agentAdded"])

        // As a device, its token would give an attacker's guesses a count of their own.
        #expect(try await !logIn("joker", ClientContext(address: IPAddress("203.0.113.7"), deviceToken: token)))
        #expect(try await failures(of: batman) == 1)

        await service.recordLogin(ofAgent: agent.id, client)
        #expect(try await service.endDevice(agent.id, for: client))
        #expect(try await service.agent(withToken: token) == nil)
        let other = try #require(try await service.addAgent(grant, days: 2, for: client)).token
        clock.advance(by: .seconds(2 * 86_400))
        #expect(try await service.agent(withToken: other) == nil)
        let events = audit.events.filter { $0.agent != nil }
        #expect(events.map(\.reason) == ["agentAdded", "agent", "agentEnded", "agentAdded"])
        #expect(events.prefix(3).allSatisfy { $0.agent == agent.id })
        #expect(events[0].json.contains(#""reason":"agentAdded","agent":"\#(agent.id)""#))
    }

    @Test func `a user without an account gets no agent, which ends with the sessions of the account`() async throws {
        let (grant, client) = (AgentGrant(name: "Claude", mayChange: true), ClientContext(user: batman))
        #expect(try await service.addAgent(grant, days: 1, for: ClientContext()) == nil)
        #expect(try await service.addAgent(grant, days: 1, for: ClientContext(user: User(username: "x"))) == nil)
        let token = try #require(try await service.addAgent(grant, days: 1, for: client)).token
        try await service.endSessions(for: client)
        #expect(try await service.agent(withToken: token) == nil)
        let other = try #require(try await service.addAgent(grant, days: 1, for: client)).token
        try await service.changePassword(to: "a new password", for: client)
        #expect(try await service.agent(withToken: other) == nil)
    }

    // MARK: Logging in

    @Test func `the user logs in from a known device during an attack, and other clients cannot`() async throws {
        let known = try await device(of: batman)
        try await attack()
        #expect(try await !logIn("bruce", attacker))
        #expect(try await logIn("bruce", known))
        // The user's login gives the attackers no further attempts.
        #expect(try await failures(of: batman) == 5)
        #expect(try await !logIn("bruce", attacker))
        #expect(audit.reasons.last == "throttled")
    }

    @Test func `a stolen token allows five guesses`() async throws {
        let stolen = try await device(of: batman)
        for number in 1...5 {
            #expect(try await !logIn("joker", stolen))
            #expect(try await failures(of: stolen) == number)
            #expect(try await failures(of: batman) == 0)
        }
        // After five failures the device counts as unknown, however much time passes.
        for number in 1...5 {
            clock.advance(by: .seconds(86_400))
            #expect(try await !logIn("joker", stolen))
            #expect(try await failures(of: stolen) == 5)
            #expect(try await failures(of: batman) == number)
        }
        #expect(try await !logIn("bruce", stolen))
    }

    @Test func `a login from a device resets only the failures of the device`() async throws {
        let known = try await device(of: batman)
        for _ in 1...4 { #expect(try await !logIn("joker", attacker)) }
        for _ in 1...4 { #expect(try await !logIn("joker", known)) }
        #expect(try await logIn("bruce", known))
        #expect(try await failures(of: known) == 0)
        #expect(try await failures(of: batman) == 4)
        #expect(try await logIn("bruce", attacker))
        #expect(try await failures(of: batman) == 0)
    }

    @Test func `of 200 simultaneous guesses with a stolen token, at most ten are verified`() async throws {
        let stolen = try await device(of: batman)
        try await concurrently(200) { try? await logIn("\($0)", stolen) }
        // Five attempts count for the device, and five for the account, as from an unknown device.
        #expect(audit.reasons.count { $0 == "wrongPassword" } == 10)
        #expect(audit.reasons.count { $0 == "throttled" } == 190)
        #expect(try await failures(of: stolen) == 5)
        #expect(try await failures(of: batman) == 5)
    }

    @Test func `simultaneous logins from a known device succeed, even if others locked the account`() async throws {
        let known = try await device(of: batman)
        try await attack()
        let work = UnitOfWork(database: ObjectIdentifier(store as AnyObject))
        let succeeded = try await concurrently(20) { _ in
            try await UnitOfWork.$ofTask.withValue(work) { try await logIn("bruce", known) }
        }
        #expect(succeeded.count { $0 } == 20)
    }

    @Test func `an attempt from a device does not count if it was not verified`() async throws {
        let known = try await device(of: batman)
        let hasher = slowHasher()
        let slow = AccountService(store, hasher: hasher, clock: clock)
        try await hasher.threads.whileBusy { release in
            let login = Task { try await slow.authenticate(username: "batman", password: "joker", for: known) }
            try await waitUntil { hasher.load.waiting == 1 }
            let during = try await failures(of: known)
            #expect(during == 1)
            login.cancel()
            await #expect(throws: CancellationError.self) { try await login.value }
            let after = try await failures(of: known)
            #expect(after == 0)
            release()
        }
    }

    @Test(arguments: ["another account's", "unknown", "expired", "empty"])
    func `an invalid token changes nothing and costs the same`(kind: String) async throws {
        let robin = try await add("robin@wayne.example", username: "robin", password: "bruce").user
        var client = try await device(of: kind == "another account's" ? robin : batman)
        if kind == "unknown" { client.deviceToken = "0".repeated(48) }
        if kind == "empty" { client.deviceToken = "" }
        if kind == "expired" { clock.advance(by: .seconds(400 * 86_400)) }
        let (updates, done) = (counting.calls.updates, hasher.load.done)
        #expect(try await !logIn("joker", client))
        #expect(try await !logIn("joker", client, username: "joker"))
        #expect(counting.calls.updates == updates + 2)
        #expect(hasher.load.done == done + 2)
        #expect(try await failures(of: batman) == 1)
        for _ in 2...5 { #expect(try await !logIn("joker", client)) }
        #expect(try await !logIn("bruce", client))
        #expect(try await failures(of: client) ?? 0 == 0)
    }

    @Test func `a token works until 400 days have passed`() async throws {
        let known = try await device(of: batman)
        try await attack()
        clock.advance(by: .seconds(400 * 86_400) - .milliseconds(1))
        for _ in 1...12 { _ = try await logIn("joker", attacker) }
        #expect(try await logIn("bruce", known))
        clock.advance(by: .milliseconds(1))
        #expect(try await !logIn("bruce", known))
    }

    // MARK: Tokens

    @Test func `a token has 192 random bits, and the store contains only its hash`() async throws {
        let tokens = try await [device(of: batman), device(of: batman)].compactMap(\.deviceToken)
        #expect(Set(tokens).count == 2)
        for token in tokens {
            #expect(token.wholeMatch(of: /[0-9a-f]{48}/) != nil)
            let key = DeviceKey(token: token)
            #expect(key.bytes.count == 32)
            #expect(try await store.device(key)?.expires == clock.now + .seconds(400 * 86_400))
        }
        // BLAKE2b-256 of the empty text.
        #expect(DeviceKey(token: "").bytes.prefix(4) == [0x0E, 0x57, 0x51, 0xC0])
    }

    @Test func `a new token replaces the presented one`() async throws {
        let old = try await device(of: batman)
        let new = ClientContext(deviceToken: try await service.issueDeviceToken(to: batman, old))
        try await attack()
        #expect(try await !logIn("bruce", old))
        #expect(try await logIn("bruce", new))
    }

    @Test func `users without an enabled account get no token`() async throws {
        #expect(try await service.issueDeviceToken(to: User(username: "guest"), ClientContext()) == nil)
        #expect(try await service.issueDeviceToken(to: User(username: "gone", id: "gone"), ClientContext()) == nil)
        _ = try await service.setDisabled(true, AccountID(try #require(batman.id)))
        #expect(try await service.issueDeviceToken(to: batman, ClientContext()) == nil)
    }

    @Test func `an account has at most twenty devices, and the oldest is removed`() async throws {
        var devices: [ClientContext] = []
        for _ in 1...21 {
            devices.append(try await device(of: batman))
            clock.advance(by: .seconds(1))
        }
        #expect(try await failures(of: devices[0]) == nil)
        for device in devices.dropFirst() { #expect(try await failures(of: device) == 0) }
    }

    @Test(arguments: ["password", "disabled", "deleted"])
    func `devices are removed when the sessions of their account are revoked`(change: String) async throws {
        let known = try await device(of: batman)
        let id = AccountID(try #require(batman.id))
        switch change {
        case "password": #expect(try await service.setPassword("alfred", of: id))
        case "disabled": #expect(try await service.setDisabled(true, id))
        default: #expect(try await service.delete(id))
        }
        #expect(try await failures(of: known) == nil)
    }
}
