@testable import Accounts

struct AccountTextTests {
    func text(_ count: Int, _ character: String = "\u{1F3D4}") -> String { character.repeated(count) }

    @Test func `a name has at most 256 code points, and a username 254`() throws {
        try AccountText.name.check(text(256))
        try AccountText.username.check(text(254))
        #expect(throws: AccountTextError(part: .name, reason: "has 257 characters; at most 256 are allowed")) {
            try AccountText.name.check(text(257))
        }
        let error = #expect(throws: AccountTextError.self) { try AccountText.username.check(text(255)) }
        #expect(error?.description == "the username has 255 characters; at most 254 are allowed")
    }

    @Test(arguments: ["", " ", "\u{A0}\t\u{3000}", "a\nb", "a\u{0}", "\u{9B}2J", "a\u{2028}b"])
    func `a username that cannot be read or typed is rejected wherever it comes from`(_ username: String) async throws {
        #expect(throws: AccountTextError.self) { try AccountText.username.check(username) }
        let fixture = try AccountFixture()
        var account = Account.sample("a")
        account.username = username
        let added = [account]
        await #expect(throws: AccountTextError.self) { try await fixture.service.add(added) }
        await #expect(throws: AccountTextError.self) {
            try await fixture.service.signUp(name: "A", email: username, password: "p", for: ClientContext())
        }
        try AccountText.username.check("Ada\u{301} \u{200D}1")
    }

    @Test func `email address and contact address have at most 254 bytes`() throws {
        try AccountText.email.check(text(254, "a"))
        try AccountText.contactEmail.check(text(127, "\u{E9}"))
        let error = #expect(throws: AccountTextError.self) { try AccountText.email.check(text(64)) }
        #expect(error?.description == "the email address has 256 bytes; at most 254 are allowed")
        #expect(throws: AccountTextError.self) { try AccountText.contactEmail.check(text(255, "a")) }
    }

    @Test func `a password has at most 1,024 code points in NFC`() throws {
        try AccountText.password.check(text(1024, "e\u{301}"))
        for password in [text(1025, "a"), text(1025, "e\u{301}"), text(100_000, "\u{301}\u{323}")] {
            #expect(throws: AccountTextError.self) { try AccountText.password.check(password) }
        }
    }

    @Test func `an account service rejects texts that are too long`() async throws {
        let fixture = try AccountFixture()
        let service = fixture.service
        for (name, email, password) in [(257, 1, 1), (1, 255, 1), (1, 1, 1025)] {
            let (name, email, password) = (text(name), text(email, "a"), text(password))
            await #expect(throws: AccountTextError.self) {
                try await service.signUp(name: name, email: email, password: password, for: ClientContext())
            }
        }
        let account = Account.ada
        try await service.add([account])
        await #expect(throws: AccountTextError.self) { try await service.hash(text(1025)) }
        await #expect(throws: AccountTextError.self) { try await service.setPassword(text(1025), of: account.id) }
        await #expect(throws: AccountTextError.self) {
            try await service.save(email: text(255, "a"), for: fixture.client(of: account))
        }
        var other = Account.bob
        other.name = text(257)
        let added = [other]
        await #expect(throws: AccountTextError.self) { try await service.add(added) }
        #expect(try await fixture.store.accounts(after: nil, limit: 9).count == 1)
        #expect(fixture.hasher.load == PasswordHasher.Load())
    }
}
