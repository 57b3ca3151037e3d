import TestSupport

@testable import Accounts

@Suite struct AccountTextTests {
    private func text(_ count: Int, _ character: String = "\u{1F3D4}") -> String {
        String(repeating: character, count: count)
    }

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
        let account = Account(
            name: "A",
            email: "a@b.example",
            username: username,
            passwordHash: "",
            created: .init(milliseconds: 0)
        )
        await #expect(throws: AccountTextError.self) { try await fixture.service.add([account]) }
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
        let (store, service, clock) = (fixture.store, fixture.service, fixture.clock)
        let client = ClientContext(address: IPAddress("203.0.113.7"))
        for index in 0..<3 {
            await #expect(throws: AccountTextError.self) {
                try await service.signUp(
                    name: text(index == 0 ? 257 : 1),
                    email: text(index == 1 ? 255 : 1, "a"),
                    password: text(index == 2 ? 1025 : 1),
                    for: client
                )
            }
        }
        let account = Account(name: "", email: "a@b.example", passwordHash: "", created: clock.now)
        try await service.add([account])
        await #expect(throws: AccountTextError.self) { try await service.hash(text(1025)) }
        await #expect(throws: AccountTextError.self) { try await service.setPassword(text(1025), of: account.id) }
        let user = User(username: account.username, id: account.id.text)
        await #expect(throws: AccountTextError.self) {
            try await service.save(email: text(255, "a"), for: ClientContext(user: user))
        }
        let other = Account(name: text(257), email: "b@b.example", passwordHash: "", created: clock.now)
        await #expect(throws: AccountTextError.self) { try await service.add([other]) }
        #expect(try await store.accounts(after: nil, limit: 9).count == 1)
        #expect(fixture.hasher.load == PasswordHasher.Load())
    }
}
