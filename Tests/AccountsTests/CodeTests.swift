@testable import Accounts
@testable import BundledControllers

/// How ``AccountService`` sends and checks codes, resets passwords, confirms addresses and changes accounts.
@Suite(.fiveMinutes) struct CodeTests: AccountSuite {
    let fixture: AccountFixture
    let lisa = ClientContext(address: IPAddress("203.0.113.7"))

    init() throws {
        let limits = AccountRateLimits(
            failedLogins: AddressLimit(Rate(7, per: .seconds(600))),
            signups: AddressLimit(Rate(20, per: .seconds(3600))),
            codes: AddressLimit(Rate(8, per: .seconds(600)))
        )
        fixture = try AccountFixture(limits, confirmsAddresses: true)
    }

    func logIn(_ password: String, _ name: String = "lisa@rules.example") async throws -> User? {
        try await service.authenticate(username: name, password: password, for: ClientContext())
    }

    /// The code in the last mail.
    var code: String? { (outbox.mails.last?.text).flatMap { $0.isEmpty ? nil : $0 } }

    @discardableResult
    func send(
        _ purpose: PendingCode.Purpose = .reset,
        to email: String = "lisa@rules.example",
        for client: ClientContext? = nil
    ) async throws -> String {
        try await service.sendCode(purpose, to: email, for: client ?? lisa)
    }

    /// Confirms the address to which a code was sent for a change.
    func confirm(_ hash: String, _ email: String, _ client: ClientContext) async throws -> User? {
        try await service.confirm(PendingCode(.change, email: email, hash: hash, sent: clock.now), for: client)
    }

    func reset(_ email: String = "lisa@rules.example", to password: String) async throws -> Bool {
        try await service.resetPassword(password, ofAccountWith: email, for: lisa)
    }

    @discardableResult
    func signUp(_ password: String, _ email: String = "lisa@rules.example") async throws -> PendingCode {
        let signup = try await service.signUp(name: "Lisa", email: email, password: password, for: lisa)
        let hash = try #require(signup?.codeHash)
        return PendingCode(.confirm, email: email, hash: hash, signup: signup?.id, sent: clock.now)
    }

    func isRight(_ code: String?, _ hash: String, _ client: ClientContext? = nil) async throws -> Bool {
        try await service.isRight(try #require(code), hash: hash, for: client ?? ClientContext())
    }

    // MARK: Sending

    @Test func `only the address of an account that is not disabled gets a code, for the same work`() async throws {
        try await add()
        try await add("bart@rules.example", isDisabled: true)
        for email in ["lisa@rules.example", "bart@rules.example", "homer@rules.example"] {
            let effort = try await work {
                let hash = try await send(to: email)
                #expect(hash.contains("$argon2id$"))
            }
            #expect(effort == [1, 0, 1, 1])
        }
        #expect(outbox.mails.map(\.recipient) == ["lisa@rules.example"])
        #expect(audit.kinds == [.codeSent])
    }

    @Test func `a code is the one that was mailed, and expires with its mail`() async throws {
        try await add()
        let hash = try await send()
        #expect(try await isRight(code, hash))
        #expect(try await !isRight("00000000", hash))
        #expect(outbox.mails.last?.expires == clock.now + .seconds(600))
    }

    @Test func `an address gets five mails with codes in an hour, over all networks`() async throws {
        try await add()
        for number in 1...7 {
            try await send(to: "LISA@rules.example", for: ClientContext(address: IPAddress("203.0.113.\(number)")))
        }
        #expect(outbox.mails.count == 5)
        clock.advance(by: .seconds(3600))
        try await send()
        #expect(outbox.mails.count == 6)
    }

    @Test func `a code that was not mailed is never right`() async throws {
        try await add()
        for _ in 1...5 { try await send(for: ClientContext()) }
        let unsent = [
            try await send(), try await send(to: "homer@rules.example"),
            try await send(.change, for: client(of: add("bart@rules.example"))),
        ]
        let done = hasher.load.done
        for hash in unsent {
            // No other code is right either.
            #expect(!hash.hasPrefix("$argon2id$"))
            #expect(try await !isRight("00000000", hash))
        }
        #expect(hasher.load.done == done + 3)
    }

    @Test func `a code goes to the account's address, however the client has written it`() async throws {
        let account = try await add("\u{B5}@rules.example")
        try await send(to: "\u{3BC}@rules.example")
        try await send(.confirm, to: "\u{3BC}@RULES.example", for: client(of: account))
        try await signUp("bleeding gums", "\u{3BC}@rules.example")
        #expect(outbox.mails.map { $0.recipient.bytes } == [account.email.bytes].repeated(3))
        // Only a new address is taken as it was written.
        let hash = try await send(.change, to: "\u{3BC}@rules.example", for: client(of: account))
        #expect(outbox.mails.last?.recipient.unicodeScalars.first == "\u{3BC}")
        #expect(try await confirm(hash, "\u{3BC}@rules.example", client(of: account))?.id == account.id.text)
    }

    @Test func `a network can ask for and mistype a limited number of codes`() async throws {
        try await add()
        for number in 1...8 { try await send(to: "\(number)@rules.example") }
        await #expect(throws: CollaboratorError.tooManyRequests(retryAfter: .seconds(75))) { try await send() }
        #expect(outbox.mails.isEmpty)
        for _ in 1...2 {
            let hash = try await send(for: ClientContext())
            for _ in 1...5 { #expect(try await isRight(code, hash, lisa)) }
        }
        let hash = try await send(for: ClientContext())
        for number in 1...7 { #expect(try await !isRight("0000000\(number)", hash, lisa)) }
        await #expect(throws: CollaboratorError.self) { try await isRight(code, hash, lisa) }
        await #expect(throws: CollaboratorError.self) {
            try await service.authenticate(username: "lisa@rules.example", password: "saxophone", for: lisa)
        }
        #expect(audit.kinds.count { $0 == .codeFailed } == 7)
    }

    @Test func `the codes of an address count, whether an account has it, had it or never had it`() async throws {
        for _ in 1...2 {
            let account = try await add(isConfirmed: true)
            for _ in 1...3 { try await send(for: client(of: account)) }
            try await service.deleteAccount(for: client(of: account))
        }
        #expect(
            mails == ["resetCode"].repeated(3) + ["accountDeleted"] + ["resetCode"].repeated(2) + ["accountDeleted"]
        )
        // Otherwise, the mails to a new address with the same count would show that there is an account.
        try await add()
        #expect(try await service.store.update(.codes(to: AccountKey("lisa@rules.example"))) { $0.failures } == 5)
    }

    @Test func `a code for a password ends when the password is changed`() async throws {
        // An imported ID.
        let account = Account(
            id: AccountID("lisa \u{301}1"),
            name: "Lisa",
            email: "lisa@rules.example",
            passwordHash: try await hasher.hash("saxophone"),
            created: clock.now
        )
        try await store.add(account)
        let hash = try await send()
        let sent = code
        #expect(try await isRight(sent, hash))
        try await service.changePassword(to: "bleeding gums", for: client(of: account))
        #expect(try await !isRight(sent, hash))
    }

    @Test func `of one code, five attempts are verified, whatever becomes of their events`() async throws {
        try await add()
        let hash = try await send()
        for number in 1...5 {
            #expect(try await !isRight("0000000\(number)", hash))
            // As a server whose clock is behind.
            clock.advance(by: .milliseconds(-100))
        }
        #expect(try await !isRight(code, hash))
        let next = try await send()
        #expect(try await isRight(code, next))
    }

    @Test func `an event that runs again sends the same code, counts nothing twice, and is recorded`() async throws {
        try await add()
        let work = UnitOfWork(database: nil)
        try await UnitOfWork.$ofTask.withValue(work) {
            let first = try await send()
            #expect(try await !isRight("00000000", first, lisa))
            work.restart()
            #expect(try await send() == first)
            #expect(try await !isRight("00000000", first, lisa))
        }
        #expect(outbox.mails.isEmpty)
        await work.finish()
        #expect(outbox.mails.count == 1)
        #expect(hasher.load.done == 3)
        #expect(counting.calls.updates == 2, "the mail and the attempt")
        #expect(audit.kinds.sorted { $0.rawValue < $1.rawValue } == [.codeFailed, .codeSent])
    }

    // MARK: Resetting

    @Test func `a reset changes the password, confirms the address, ends sessions, informs the owner`() async throws {
        let account = try await add()
        let user = account.user
        _ = try await service.issueDeviceToken(to: user, lisa)
        for _ in 1...6 { _ = try await logIn("wrong") }
        #expect(try await reset("LISA@rules.example", to: "bleeding gums"))
        #expect(try await logIn("saxophone") == nil)
        #expect(try await logIn("bleeding gums") == user)
        #expect(try await store.account(account.id)?.emailConfirmed == clock.now)
        #expect(try await store.revocations.map(\.account) == [account.id])
        #expect(try await store.devices(of: account.id).isEmpty)
        #expect(mails == ["passwordChanged"])
        #expect(outbox.mails.map(\.recipient) == ["lisa@rules.example"])
        #expect(audit.reasons.contains("passwordReset"))
    }

    @Test func `no password is reset for an unknown, disabled or just changed account`() async throws {
        let disabled = try await add("bart@rules.example", isDisabled: true)
        let moved = try await add()
        counting.beforeChange.value = { [store] in
            _ = try? await store.change(moved.id) { $0.email = "lisa@shop.example" }
        }
        for email in ["homer@rules.example", "bart@rules.example", "lisa@rules.example"] {
            #expect(try await !reset(email, to: "bleeding gums"))
        }
        #expect(try await store.account(disabled.id) == disabled)
        #expect(try await store.account(moved.id)?.passwordHash == moved.passwordHash)
        #expect(outbox.mails.isEmpty)
    }

    // MARK: Signing up

    @Test func `a password works only after its address is confirmed`() async throws {
        let pending = try await signUp("bleeding gums")
        #expect(try await logIn("bleeding gums") == nil)
        #expect(try await isRight(code, pending.hash))
        #expect(try await storedAccount()?.emailConfirmed == nil)
        let user = try await service.confirm(pending, for: lisa)
        #expect(user?.username == "lisa@rules.example")
        #expect(try await storedAccount()?.emailConfirmed == clock.now)
        #expect(try await logIn("bleeding gums") == user)
        #expect(try await service.confirm(pending, for: lisa) == nil)
    }

    @Test func `of two sign-ups of one unconfirmed address, a confirmation removes the password`() async throws {
        let first = try await signUp("bleeding gums")
        let second = try await signUp("an attacker's password", "Lisa@rules.example")
        #expect(outbox.mails.map(\.recipient) == ["lisa@rules.example", "Lisa@rules.example"])
        #expect(try await storedAccount()?.email == "Lisa@rules.example")
        #expect(try await service.confirm(first, for: lisa) != nil)
        for password in ["bleeding gums", "an attacker's password", ""] { #expect(try await logIn(password) == nil) }
        // The account is confirmed, so that nothing can be confirmed again.
        #expect(try await service.confirm(second, for: lisa) == nil)
        #expect(try await reset(to: "saxophone"))
        #expect(try await logIn("saxophone") != nil)
    }

    @Test func `a sign-up during a confirmation does not get its password confirmed`() async throws {
        let first = try await signUp("bleeding gums")
        let attackers = try await hasher.hash("an attacker's password")
        let id = try #require(try await storedAccount()?.id)
        counting.beforeChange.value = { [store] in
            _ = try? await store.change(id) { $0.passwordHash = "!" + attackers }
        }
        #expect(try await service.confirm(first, for: lisa) != nil)
        #expect(try await logIn("an attacker's password") == nil)
    }

    @Test func `the owner of a known address gets a mail, and the client the same after the same work`() async throws {
        let owner = try await add()
        let known = try await work { try await signUp("bleeding gums") }
        let unknown = try await work { try await signUp("bleeding gums", "homer@rules.example") }
        #expect(known[0] == unknown[0])
        #expect(known[1] + known[2] == unknown[1] + unknown[2])
        #expect(known[3] == unknown[3])
        #expect(outbox.mails.map(\.recipient) == ["lisa@rules.example", "homer@rules.example"])
        #expect(mails.first == "addressIsTaken")
        #expect(try await storedAccount() == owner)
    }

    // MARK: Changing

    @Test func `an address and its username change once it is confirmed, and the old one is informed`() async throws {
        let account = try await add(isConfirmed: true)
        let client = client(of: account)
        let hash = try await send(.change, to: "lisa@shop.example", for: client)
        #expect(outbox.mails.last?.recipient == "lisa@shop.example")
        #expect(try await isRight(code, hash))
        let user = try await confirm(hash, "lisa@shop.example", client)
        #expect(user == User(username: "lisa@shop.example", id: account.id.text))
        #expect(try await store.account(account.id)?.emailConfirmed == clock.now)
        #expect(outbox.mails.last?.recipient == "lisa@rules.example")
        #expect(mails.last == "addressChanged")
        #expect(try await logIn("saxophone", "lisa@shop.example") == user)
        // They have the former name, which another person could have now.
        #expect(try await store.revocations.map(\.account) == [account.id])
        // Without a login, no address changes.
        #expect(try await confirm(hash, "x@shop.example", lisa) == nil)
        #expect(outbox.mails.count == 2)
    }

    @Test func `of two accounts that change to one address at once, one gets it`() async throws {
        let both = [try await add(), try await add("bart@rules.example")]
        var hashes: [String] = []
        for account in both { hashes.append(try await send(.change, to: "one@shop.example", for: client(of: account))) }
        let users = try await concurrently(2) { [hashes] in
            try? await confirm(hashes[$0], "one@shop.example", client(of: both[$0]))
        }
        #expect(users.count { $0 != nil } == 1)
        #expect(try await storedAccount("one@shop.example") != nil)
    }

    @Test func `no address of another account can be taken, and its owner gets a mail without a code`() async throws {
        try await add()
        let bart = try await add("bart@rules.example")
        let hash = try await send(.change, for: client(of: bart))
        #expect(mails == ["addressIsTaken"])
        #expect(code == nil)
        #expect(try await confirm(hash, "lisa@rules.example", client(of: bart)) == nil)
        #expect(try await store.account(bart.id) == bart)
    }

    @Test func `a changed password ends all sessions, and the owner is informed`() async throws {
        let account = try await add(isConfirmed: true)
        try await service.changePassword(to: "bleeding gums", for: client(of: account))
        #expect(try await logIn("bleeding gums") != nil)
        #expect(try await logIn("saxophone") == nil)
        #expect(try await store.revocations.count == 1)
        #expect(mails == ["passwordChanged"])
        try await service.endSessions(for: client(of: account))
        #expect(try await store.sessionRevocations(after: 1).count == 1)
    }

    @Test func `an address gets five mails about changes in an hour, whatever codes are sent to it`() async throws {
        let account = try await add(isConfirmed: true)
        // Of other changes, so that they do not hide these.
        for _ in 1...5 { try await service.inform(account, .factorAdded, ClientContext()) }
        for number in 1...7 { try await service.changePassword(to: "password \(number)", for: client(of: account)) }
        #expect(mails == ["factorAdded"].repeated(5) + ["passwordChanged"].repeated(5))
        for _ in 1...6 { try await send(to: account.email) }
        #expect(outbox.mails.count == 15)
        clock.advance(by: .seconds(3600))
        try await service.changePassword(to: "bleeding gums", for: client(of: account))
        #expect(outbox.mails.count == 16)
    }

    @Test func `an address that was never confirmed gets no mail about changes`() async throws {
        let account = try await add()
        try await service.changePassword(to: "bleeding gums", for: client(of: account))
        try await service.deleteAccount(for: client(of: account))
        #expect(outbox.mails.isEmpty)
    }

    @Test func `a deleted account is gone, and its owner is informed`() async throws {
        let account = try await add(isConfirmed: true)
        try await service.deleteAccount(for: client(of: account))
        try await service.deleteAccount(for: client(of: account))
        #expect(try await store.account(account.id) == nil)
        #expect(mails == ["accountDeleted"])
        #expect(audit.kinds == [.accountDeleted])
        #expect(try await service.details(of: client(of: account)) == nil)
    }

    @Test func `a user sees and exports their own account, and ends its devices only`() async throws {
        let account = try await add()
        let bart = try await add("bart@rules.example")
        let (user, client) = (account.user, client(of: account))
        _ = try await service.issueDeviceToken(to: user, lisa)
        clock.advance(by: .seconds(60))
        _ = try await service.issueDeviceToken(to: user, lisa)
        let details = try #require(try await service.details(of: client))
        #expect(details.email == "lisa@rules.example")
        #expect(details.created == account.created)
        #expect(details.devices.map(\.lastLogin) == [clock.now, clock.now - .seconds(60)])
        let newest = try #require(details.devices.first?.id)
        #expect(try await !service.endDevice(newest, for: self.client(of: bart)))
        #expect(try await !service.endDevice("00", for: client))
        #expect(try await service.endDevice(newest, for: client))
        #expect(try await !service.endDevice(newest, for: client))
        #expect(try await service.details(of: client)?.devices.count == 1)
        // A device that has expired is shown no more.
        clock.advance(by: .seconds(400 * 86_400 - 60))
        #expect(try await service.details(of: client)?.devices.isEmpty == true)
        #expect(try await service.details(of: lisa) == nil)
    }

    @Test func `a page of your own sends mails only to the address that a user has confirmed`() async throws {
        let ids = try [await add(isConfirmed: true), await add("bart@rules.example")].map { try #require($0.user.id) }
        let mails = UserMails(outbox: outbox, writer: PlainMails(), address: service.confirmedEmail)
        let content = MailContent(
            subject: .notice(code: "mail.paid.subject", text: "Paid"),
            text: .notice(code: "mail.paid.text", text: "Thanks.")
        )
        for id in ids + ["lisa@rules.example"] { try await mails.send(content, toUser: id, language: nil) }
        #expect(outbox.mails.map(\.recipient) == ["lisa@rules.example"])
        #expect(outbox.mails.map(\.text) == ["Thanks.\n"])
    }
}
