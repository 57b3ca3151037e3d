@testable import Accounts
@testable import BundledControllers

@Suite(.fiveMinutes) struct AdministrationTests: AccountSuite {
    let fixture: AccountFixture
    let ada = Account.ada

    init() throws { fixture = try AccountFixture() }

    var revocations: Int { get async throws { try await store.revocations.last?.number ?? 0 } }

    @Test func `a renamed account has the new name, and its sessions end`() async throws {
        let bob = Account.bob
        try await store.add([ada, bob])
        #expect(try await service.rename(ada.id, to: "countess"))
        #expect(try await store.account(username: AccountKey("COUNTESS"))?.id == ada.id)
        #expect(try await store.account(ada.id)?.email == "ada@example.org")
        #expect(try await revocations == 1)
        #expect(try await !service.rename(ada.id, to: "countess"))
        for taken in ["BOB", bob.email.uppercased(), bob.id.text] {
            await #expect(throws: AccountConflict.username) { try await service.rename(ada.id, to: taken) }
        }
        await #expect(throws: AccountTextError.self) { try await service.rename(ada.id, to: "a".repeated(255)) }
        #expect(try await !service.rename(.random(), to: "x"))
        #expect(try await revocations == 1)
        #expect(audit.reasons == ["username"])
        // Another case, and another composition of the same characters, are changes.
        #expect(try await service.rename(ada.id, to: "Ren\u{E9}"))
        #expect(try await service.rename(ada.id, to: "Rene\u{301}"))
    }

    @Test func `an address that an operator sets is not confirmed, and also replaces it as a username`() async throws {
        var account = Account(name: "Eve", email: "eve@example.org", passwordHash: "", created: clock.now)
        account.emailConfirmed = clock.now
        try await store.add([ada, account])
        #expect(try await service.setEmail("Eve@example.com", of: account.id))
        let changed = try #require(try await store.account(account.id))
        #expect(changed.email == "Eve@example.com")
        #expect(changed.username == "Eve@example.com")
        #expect(changed.emailConfirmed == nil)
        #expect(try await service.setEmail("countess@example.org", of: ada.id))
        #expect(try await store.account(ada.id)?.username == "ada")
        #expect(try await !service.setEmail("countess@example.org", of: ada.id))
        await #expect(throws: AccountConflict.email) { try await service.setEmail("EVE@example.com", of: ada.id) }
        await #expect(throws: AccountTextError.self) { try await service.setEmail("a".repeated(255), of: ada.id) }
        #expect(audit.reasons == ["email", "email"])
        #expect(try await revocations == 2)
    }

    @Test func `a code for the former address does not work after an operator has set another`() async throws {
        try await store.add([ada])
        #expect(try await service.setEmail("new@example.org", of: ada.id))
        #expect(try await !service.resetPassword("eighteen long words", ofAccountWith: ada.email, for: ClientContext()))
        let code = PendingCode(.confirm, email: ada.email, hash: "", sent: clock.now)
        #expect(try await service.confirm(code, for: client(of: ada)) == nil)
    }

    @Test func `a note is bounded, and ends no session`() async throws {
        try await store.add([ada])
        #expect(try await service.setNote("Called on Monday", of: ada.id))
        #expect(try await !service.setNote("Called on Monday", of: ada.id))
        await #expect(throws: AccountTextError.self) { try await service.setNote("é".repeated(1001), of: ada.id) }
        #expect(try await store.account(ada.id)?.note == "Called on Monday")
        #expect(try await service.setNote(nil, of: ada.id))
        #expect(try await store.account(ada.id)?.note == nil)
        #expect(audit.reasons == ["note", "note"])
        #expect(try await revocations == 0)
    }

    @Test func `a user logs in with the account's roles, and each change of them ends the sessions`() async throws {
        var account = ada
        account.passwordHash = try await hasher.hash("bruce")
        try await store.add([account])
        func roles() async throws -> [String]? {
            try await service.authenticate(username: "ada", password: "bruce", for: ClientContext())?.roles
        }
        #expect(try await roles() == [])
        #expect(try await service.changeRoles(of: ada.id, adding: ["support", "admin", "support"]))
        #expect(try await roles() == ["admin", "support"])
        #expect(try await !service.changeRoles(of: ada.id, adding: ["admin"], removing: ["Support"]))
        #expect(try await service.changeRoles(of: ada.id, removing: ["admin"]))
        #expect(try await roles() == ["support"])
        #expect(audit.reasons == ["roles=admin,support", "roles=support"])
        #expect(try await revocations == 2)
    }

    @Test(arguments: ["", " ", "a b", "ä", "1a", "-a", "a,b", "a\n", "a".repeated(65)])
    func `a text that cannot be a role is rejected`(role: String) async throws {
        try await store.add([ada])
        let error = RoleError.invalid(role)
        await #expect(throws: error) { try await service.changeRoles(of: ada.id, adding: ["admin", role]) }
        var bob = Account.bob
        bob.roles = [role]
        let added = [bob]
        await #expect(throws: error) { try await service.add(added) }
        #expect(try await store.account(ada.id)?.roles == [])
    }

    @Test func `an account has at most 32 roles, also if several operators add them at the same time`() async throws {
        try await store.add([ada])
        try await concurrently(40) { try? await service.changeRoles(of: ada.id, adding: ["role\($0)"]) }
        #expect(try await store.account(ada.id)?.roles.count == 32)
        await #expect(throws: RoleError.tooMany) { try await service.changeRoles(of: ada.id, adding: ["x"]) }
    }

    @Test func `an operator ends all sessions of an account`() async throws {
        try await store.add([ada])
        #expect(try await service.endSessions(of: ada.id))
        #expect(try await revocations == 1)
        #expect(try await !service.endSessions(of: .random()))
        #expect(audit.reasons == ["sessionsEnded"])
    }
}
