@testable import Accounts
@testable import BundledControllers

/// How ``AccountService`` adds and removes factors, and completes logins with them (WebAuthn level 3, RFC 6238, OWASP ASVS 5.0 chapter 6).
@Suite(.fiveMinutes) struct FactorTests: AccountSuite {
    let fixture: AccountFixture
    let stranger = ClientContext(address: IPAddress("203.0.113.7"))
    let lisa: ClientContext

    init() async throws {
        fixture = try AccountFixture()
        lisa = fixture.client(of: try await fixture.add(isConfirmed: true))
        service.use(RelyingParty(id: "shop.example", name: "Shop", origins: ["https://shop.example"]))
    }

    var account: Account {
        get async throws { try #require(try await store.account(AccountID(lisa.user?.id ?? ""))) }
    }

    @Test func `before the address is confirmed, no factor is added`() async throws {
        let bart = client(of: try await add("bart@rules.example"))
        #expect(try await service.factors(of: bart)?.needsConfirmation == true)
        #expect(try await service.factors(of: lisa)?.needsConfirmation == false)
        let action = try await newApp(of: bart).action
        #expect(try await service.perform(action, for: bart) == nil)
        #expect(try await service.perform(action, for: lisa) != nil)
    }

    // MARK: Authenticator apps

    /// The codes that a new app shows, and the action that adds it.
    func newApp(of client: ClientContext) async throws -> (codes: @Sendable (Int) -> String, action: FactorAction) {
        let app = try #require(try await service.newAuthenticatorApp(for: client))
        let secret = OneTimeCodeSecret(bytes: try #require([UInt8](base64URL: app.secret)))
        let step = Int(clock.now.milliseconds / 30_000)
        let code = try #require(secret.code(ofStep: step))
        return ({ secret.code(ofStep: step + $0) ?? "" }, .addAuthenticatorApp(secret: app.secret, code: code))
    }

    /// Adds an app, and returns the codes that it shows, and the recovery codes.
    func addApp() async throws -> (codes: @Sendable (Int) -> String, recovery: [String]) {
        let (codes, action) = try await newApp(of: lisa)
        return (codes, try #require(try await service.perform(action, for: lisa)).recoveryCodes)
    }

    func verify(_ password: String = "saxophone") async throws -> VerifiedUser? {
        try await service.verify(username: "lisa@rules.example", password: password, for: stranger)
    }

    /// A login that waits for the second factor.
    func begin(_ password: String = "saxophone") async throws -> PendingLogin {
        let verified = try #require(try await verify(password))
        let proof = try #require(verified.proof)
        return PendingLogin(user: verified.user, proof: proof, expires: clock.now + PendingLogin.lifetime)
    }

    /// Completes a login with a code.
    func use(_ code: String, _ login: PendingLogin, _ client: ClientContext? = nil) async throws -> User? {
        try await service.user(withCode: code, for: login, client ?? stranger)
    }

    @Test func `a password alone is enough until the account has a factor`() async throws {
        #expect(try await verify() == VerifiedUser(try #require(lisa.user)))
        _ = try await addApp()
        let user = try await service.authenticate(username: "lisa@rules.example", password: "saxophone", for: stranger)
        #expect(user == nil, "a caller that does not know of second factors gets no user")
        let factors = LoginFactors(passkey: false, authenticatorApp: true, recoveryCodes: true)
        #expect(try await service.factors(for: begin()) == factors)
        #expect(audit.kinds.suffix(2) == [.passwordVerified, .passwordVerified])
        #expect(try await verify("trumpet") == nil)
    }

    @Test func `each code works once, one step before and after the current one`() async throws {
        let (code, _) = try await addApp()
        let pending = try await begin()
        func logIn(_ step: Int) async throws -> Bool { try await use(code(step), pending) == lisa.user }
        #expect(try await !logIn(0), "it has confirmed the app")
        #expect(try await logIn(1))
        #expect(try await !logIn(1))
        #expect(try await !logIn(2), "its time has not come")
        clock.advance(by: .seconds(90))
        #expect(try await logIn(2))
        #expect(try await logIn(4))
        #expect(try await !logIn(3), "a later one was used")
        #expect(audit.kinds.count { $0 == .login } == 3)
        #expect(try await account.factors.authenticatorApp?.lastUsed == clock.now)
    }

    @Test(arguments: [false, true])
    func `of many simultaneous logins with one code of either kind, one succeeds`(isRecovery: Bool) async throws {
        let (codes, recovery) = try await addApp()
        let code = isRecovery ? recovery[0] : codes(1)
        let pending = try await begin()
        #expect(try await concurrently(5) { _ in try await use(code, pending) != nil }.count { $0 } == 1)
    }

    @Test func `wrong codes are limited by the account, and a right password gives no attempts back`() async throws {
        let (code, recovery) = try await addApp()
        for _ in 1...5 { #expect(try await use("000000", begin()) == nil) }
        let pending = try await begin()
        #expect(try await use(code(1), pending) == nil)
        #expect(audit.reasons.last == "throttled")
        // A recovery code cannot be guessed. So guesses of the app's codes do not lock out its owner.
        #expect(try await use(recovery[0], pending) == lisa.user)
        clock.advance(by: .seconds(30))
        #expect(try await use(code(2), pending) == lisa.user)
        #expect(try await use(code(1), pending) == nil)
        #expect(audit.reasons.last == "wrongCode", "a login resets the count")
    }

    @Test func `who guesses codes does not lock out the owner on a device that the account knows`() async throws {
        let (code, _) = try await addApp()
        let user = try #require(lisa.user)
        let token = try await service.issueDeviceToken(to: user, ClientContext(user: user))
        let pending = try await begin()
        for _ in 1...6 { _ = try await use("000000", pending) }
        #expect(try await use(code(1), pending, ClientContext(address: stranger.address, deviceToken: token)) == user)
    }

    @Test func `a code that cannot be decided counts nowhere`() async throws {
        let (code, recovery) = try await addApp()
        let pending = try await begin()
        let counting = CountingStore(store)
        let broken = AccountService(
            counting,
            hasher: hasher,
            clock: clock,
            rateLimits: AccountRateLimits(failedLogins: AddressLimit(Rate(1, per: .seconds(600))))
        )
        for typed in [code(1)].repeated(6) + recovery {
            counting.beforeChange.value = { throw CollaboratorError.outage() }
            await #expect(throws: CollaboratorError.outage()) {
                try await broken.user(withCode: typed, for: pending, stranger)
            }
        }
        #expect(try await use(code(1), pending) == lisa.user)
    }

    @Test func `the address of a client that guesses is limited, and right codes cost nothing`() async throws {
        let (_, recovery) = try await addApp()
        let pending = try await begin()
        for code in recovery { #expect(try await use(code, pending) == lisa.user) }
        for _ in 1...30 { _ = try await use(recovery[0], pending) }
        await #expect(throws: CollaboratorError.self) { try await use(recovery[0], pending) }
    }

    @Test func `a login that waits ends if its account changes, is disabled or has no factors any more`() async throws {
        let (code, recovery) = try await addApp()
        let pending = try await begin()
        let id = try await account.id
        func isOver() async throws -> Bool {
            for code in [code(1), recovery[0]] { #expect(try await use(code, pending) == nil) }
            return try await service.factors(for: pending) == nil
        }
        _ = try await service.setDisabled(true, id)
        #expect(try await isOver())
        _ = try await service.setDisabled(false, id)
        let factors = try await account.factors
        #expect(try await service.remove(.all, of: id))
        #expect(try await isOver())
        try await store.change(id) { $0.factors = factors }
        _ = try await service.setPassword("trumpet", of: id)
        #expect(try await isOver())
    }

    @Test func `a wrong code adds no app, and another user cannot confirm it`() async throws {
        let app = try #require(try await service.newAuthenticatorApp(for: lisa))
        #expect(app.address.hasPrefix("otpauth://totp/Shop:lisa%40rules.example?secret="))
        #expect(app.qrCode.hasPrefix("data:image/svg+xml,%3Csvg"))
        #expect(try await service.perform(.addAuthenticatorApp(secret: app.secret, code: "000000"), for: lisa) == nil)
        #expect(try await service.newAuthenticatorApp(for: stranger) == nil)
        #expect(try await account.factors == Factors())
        #expect(outbox.mails.isEmpty)
    }

    // MARK: Recovery codes

    @Test func `the first factor brings ten recovery codes, which work once each, however typed`() async throws {
        let (_, recovery) = try await addApp()
        #expect(Set(recovery).count == 10)
        #expect(recovery.allSatisfy { $0.wholeMatch(of: /[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}/) != nil })
        #expect(try await account.factors.recoveryCodes.allSatisfy { $0.hash.hasPrefix("$argon2id$") })
        let pending = try await begin()
        let typed = " " + recovery[3].uppercased().replacing("-", with: " ").replacing("0", with: "O") + "\n"
        #expect(try await use(typed, pending) == lisa.user)
        #expect(try await use(recovery[3], pending) == nil)
        #expect(try await use(recovery[4], pending) == lisa.user)
        #expect(try await service.factors(of: lisa)?.recoveryCodes == 8)
        #expect(mails.suffix(2) == ["recoveryCodeUsed", "recoveryCodeUsed"])
        #expect(try await service.perform(.createRecoveryCodes, for: lisa)?.recoveryCodes.count == 10)
        #expect(try await use(recovery[5], pending) == nil)
    }

    @Test func `new recovery codes, which cost ten hashes, count as a login of the client's address`() async throws {
        let fixture = try AccountFixture(AccountRateLimits(logins: AddressLimit(Rate(2, per: .seconds(600)))))
        let account = try await fixture.add(isConfirmed: true)
        let app = AuthenticatorApp(secret: "", created: fixture.clock.now, lastStep: 0)
        try await fixture.store.change(account.id) { $0.factors.authenticatorApp = app }
        let client = ClientContext(user: account.user, address: IPAddress("203.0.113.7"))
        for _ in 1...2 {
            #expect(try await fixture.service.perform(.createRecoveryCodes, for: client)?.recoveryCodes.count == 10)
        }
        await #expect(throws: CollaboratorError.self) {
            try await fixture.service.perform(.createRecoveryCodes, for: client)
        }
    }

    @Test func `recovery codes end with the last other factor, and there are none without one`() async throws {
        #expect(try await service.perform(.createRecoveryCodes, for: lisa) == nil)
        _ = try await addApp()
        let change = try await service.perform(.removeAuthenticatorApp, for: lisa)
        #expect(change == FactorChange(factors: AccountFactors()))
        #expect(try await service.perform(.removeAuthenticatorApp, for: lisa) == nil)
        #expect(mails.last == "factorRemoved")
        #expect(audit.reasons.suffix(2) == ["authenticatorAppAdded", "authenticatorAppRemoved"])
    }

    // MARK: Passkeys

    func addPasskey(
        of other: ClientContext? = nil,
        name: String = "Phone",
        _ change: (inout Authenticator) -> Void = { _ in }
    ) async throws -> FactorChange? {
        let client = other ?? lisa
        let creation = try #require(try await service.passkeyCreation(for: client))
        let challenge = try #require([UInt8](base64URL: creation.challenge))
        var authenticator = Authenticator()
        change(&authenticator)
        let response = try authenticator.registration(challenge)
        let action = FactorAction.addPasskey(response: "\(response)", name: name, challenge: creation.challenge)
        return try await service.perform(action, for: client)
    }

    /// Logs in with the passkey.
    func logIn(
        as client: ClientContext? = nil,
        after pending: PendingLogin? = nil,
        _ change: (inout Authenticator) -> Void = { _ in }
    ) async throws -> User? {
        let request = try #require(try await service.passkeyRequest(for: pending, stranger))
        let challenge = try #require([UInt8](base64URL: request.challenge))
        var authenticator = Authenticator.atLogin
        authenticator.handle = Array(try #require((client ?? lisa).user?.id).utf8)
        authenticator.flags = 0b0000_0101
        authenticator.counter = 1
        change(&authenticator)
        let response = try authenticator.login(challenge)
        return try await service.user(withPasskey: "\(response)", challenge: request.challenge, for: pending, stranger)
    }

    @Test func `a passkey whose user was verified needs no password, and one without needs it`() async throws {
        let change = try #require(try await addPasskey())
        #expect(change.factors.passkeys.map(\.name) == ["Phone"])
        #expect(change.recoveryCodes.count == 10)
        #expect(try await logIn() == lisa.user)
        #expect(audit.kinds.last == .login)
        #expect(try await service.factors(of: lisa)?.passkeys[0].lastUsed == clock.now)
        #expect(try await logIn { $0.flags = 0b0000_0001 } == nil)
        #expect(audit.reasons.last == "userNotVerified")
        let user = try await logIn(after: begin()) { authenticator in
            authenticator.flags = 0b0000_0001
            authenticator.counter = 2
            authenticator.handle = nil
        }
        #expect(user == lisa.user)
    }

    @Test func `the right code is right as well if the event runs again because sessions were revoked`() async throws {
        let (code, _) = try await addApp()
        for _ in 1...4 { #expect(try await use("000000", begin()) == nil) }
        let (pending, work) = (try await begin(), UnitOfWork(database: ObjectIdentifier(store as AnyObject)))
        let service = AccountService(store, hasher: hasher, clock: clock, audit: audit)
        for _ in 1...2 {
            work.restart(forgettingResults: true)
            let user = try await UnitOfWork.$ofTask.withValue(work) {
                try await service.user(withCode: code(1), for: pending, stranger)
            }
            #expect(user == lisa.user)
        }
    }

    @Test func `a request names the account's passkeys only for a login that waits`() async throws {
        _ = try await addPasskey()
        let named = try await service.passkeyRequest(for: begin(), stranger)
        let open = try await service.passkeyRequest(for: nil, stranger)
        #expect(named?["allowCredentials"]?.array?.first?["id"] == "AQIDBA")
        #expect(named?["userVerification"] == "preferred")
        #expect(open?["allowCredentials"] == [])
        #expect(open?["userVerification"] == "required")
        #expect(named?["challenge"] != open?["challenge"])
    }

    @Test func `a passkey of another account completes no login, and is not added`() async throws {
        _ = try await addPasskey()
        let bart = client(of: try await add("bart@rules.example", isConfirmed: true))
        #expect(try await addPasskey(of: bart) == nil, "its ID is that of lisa's")
        #expect(try await addPasskey() == nil)
        _ = try await addPasskey(of: bart) { $0.id = [5] }
        #expect(try await logIn(as: bart, after: begin()) { $0.id = [5] } == nil)
        #expect(try await logIn(as: bart) == nil, "the passkey of lisa with the handle of bart")
    }

    @Test func `a response that is wrong or malformed is rejected, with the reason in the audit log`() async throws {
        _ = try await addPasskey()
        #expect(try await logIn { $0.origin = "https://evil.example" } == nil)
        #expect(audit.reasons.last == "wrongOrigin")
        for response in ["", "{}", "[]", "{\"id\":1}", "[".repeated(1_000)] {
            #expect(try await service.user(withPasskey: response, challenge: "AAAA", for: nil, stranger) == nil)
        }
        #expect(try await logIn() == lisa.user)
    }

    @Test func `a counter that has not grown is reported, and never goes back`() async throws {
        _ = try await addPasskey { $0.counter = 5 }
        #expect(try await logIn { $0.counter = 6 } == lisa.user)
        #expect(!audit.kinds.contains(.passkeySuspected))
        #expect(try await logIn { $0.counter = 6 } == lisa.user)
        #expect(audit.kinds.suffix(2) == [.passkeySuspected, .login])
        #expect(try await logIn { $0.counter = 2 } == lisa.user)
        #expect(try await account.factors.passkeys[0].passkey.counter == 6)
    }

    @Test func `a removed passkey and a disabled account log no one in`() async throws {
        let id = try #require(try await addPasskey()).factors.passkeys[0].id
        _ = try await service.setDisabled(true, try await account.id)
        #expect(try await logIn() == nil)
        _ = try await service.setDisabled(false, try await account.id)
        #expect(try await service.perform(.removePasskey(id: "0"), for: lisa) == nil)
        #expect(try await service.perform(.removePasskey(id: id), for: lisa)?.factors == AccountFactors())
        #expect(try await logIn() == nil)
        #expect(try await addPasskey() != nil, "its ID is free again")
    }

    @Test func `an account has at most 20 passkeys, with names of at most 64 characters`() async throws {
        for number in 1...20 { #expect(try await addPasskey { $0.id = [UInt8(number)] } != nil) }
        #expect(try await service.passkeyCreation(for: lisa) == nil)
        let long = "e\u{301}".repeated(40)
        let first = try #require(try await service.factors(of: lisa)).passkeys[0].id
        _ = try await service.perform(.removePasskey(id: first), for: lisa)
        let change = try await addPasskey(name: long) { $0.id = [99] }
        #expect(change?.factors.passkeys.last?.name.unicodeScalars.count == 64)
    }

    @Test func `without a site, there are no passkeys`() async throws {
        let service = AccountService(store, hasher: hasher, clock: clock)
        #expect(try await service.passkeyCreation(for: lisa) == nil)
        #expect(try await service.passkeyRequest(for: nil, stranger) == nil)
        #expect(try await service.user(withPasskey: "{}", challenge: "AAAA", for: nil, stranger) == nil)
        let action = FactorAction.addPasskey(response: "{}", name: "", challenge: "AAAA")
        #expect(try await service.perform(action, for: lisa) == nil)
    }

    // MARK: Operators

    @Test func `an operator removes factors, which ends the sessions and informs the owner`() async throws {
        _ = try await addApp()
        let change = try #require(try await addPasskey())
        let id = try await account.id
        #expect(try await !service.remove(.passkey("0"), of: id))
        #expect(try await service.remove(.passkey(change.factors.passkeys[0].id), of: id))
        #expect(try await service.remove(.authenticatorApp, of: id))
        #expect(try await !service.remove(.authenticatorApp, of: id))
        #expect(try await !service.remove(.all, of: id), "the recovery codes ended with the app")
        #expect(try await store.revocations.count == 1)
        #expect(audit.reasons.suffix(2) == ["passkeyRemoved", "authenticatorAppRemoved"])
        #expect(audit.events.last?.address == nil)
        #expect(mails.last == "factorRemoved")
    }

    @Test func `a reset of the password keeps the factors`() async throws {
        _ = try await addApp()
        #expect(try await service.resetPassword("trumpet", ofAccountWith: "lisa@rules.example", for: stranger))
        _ = try await begin("trumpet")
    }
}

extension Value {
    /// The challenge of options for a client.
    fileprivate var challenge: String { self["challenge"]?.string ?? "" }
}
