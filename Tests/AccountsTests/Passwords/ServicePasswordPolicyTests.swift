struct ServicePasswordPolicyTests {
    func objection(
        to password: String,
        minimum: Int = 15,
        name: String? = nil,
        username: String? = nil,
        email: String? = nil,
        userID: String? = nil
    ) throws -> Message? {
        let policy = try ServicePasswordPolicy(minimum: minimum)
        let objection = policy.objection(to: password, name: name, username: username, email: email, userID: userID)
        if let objection { #expect(policy.messages.contains(objection)) }
        return objection
    }

    static func text(_ part: String, _ count: Int) -> String { part.repeated(count) }

    static let long = Message.passwordTooLong(maximum: 128)

    @Test(
        arguments: [
            ("", .passwordTooShort(minimum: 15)), ("correct horse ", .passwordTooShort(minimum: 15)),
            ("correct horse b", nil), (text("xy", 64), nil),
            // All kinds of characters are allowed, and none is required.
            ("aaaaaaaaaaaaaab", nil), ("    \t   \t   \t   ", nil),
            ("\0\u{7}\n\t\u{1F3D4}\u{5D0}\u{200B} 12345678", nil),
        ] as [(String, Message?)]
    )
    func `a password has 15 to 128 characters of any kind`(password: String, expected: Message?) throws {
        #expect(try objection(to: password) == expected)
    }

    @Test func `a much longer password is rejected`() throws {
        #expect(try objection(to: Self.text("\u{301}\u{323}", 15_000)) == Self.long)
    }

    @Test(
        arguments: [
            // What NFC composes is one character, and what it does not compose is two.
            (text("e\u{301}", 7), .passwordTooShort(minimum: 8)), (text("e\u{301}a\u{301}", 4), nil),
            (text("e\u{301}a\u{301}", 64), nil), (text("q\u{301}x\u{301}", 2), nil), (text("q\u{301}", 65), long),
            // A code point of four bytes is one.
            (text("\u{1F3D4}", 7), .passwordTooShort(minimum: 8)), (text("\u{1F3D4}\u{1F3D5}", 64), nil),
        ] as [(String, Message?)]
    )
    func `code points in NFC are counted`(password: String, expected: Message?) throws {
        #expect(try objection(to: password, minimum: 8) == expected)
    }

    @Test(arguments: [
        // The Kelvin sign is a k in lower case.
        "1qaz2wsx3edc4rfv", "1QAZ2wsx3edc4RFV", "Password", "12345678", "123456789\u{212A}",
    ])
    func `a common password is rejected in any case, and with another character it is not common`(password: String)
        throws
    {
        #expect(try objection(to: password, minimum: 8) == .passwordTooCommon)
        #expect(try objection(to: "1qaz2wsx3edc4rfv!") == nil)
    }

    @Test(arguments: ["a", "A", " ", "\u{1F3D4}", "e\u{301}", "q\u{301}", "aA"])
    func `one repeated character, in either case, is rejected unless there is another one`(character: String) throws {
        #expect(try objection(to: Self.text(character, 15)) == .passwordRepeatsCharacter)
        #expect(try objection(to: Self.text(character, 15) + "!") == nil)
    }

    // MARK: The user's own data

    @Test(arguments: [
        "Joanna Q. Citizen-Doe", "joanna q. citizen-doe", "joanna.citizen-doe@example.org",
        "JOANNA.CITIZEN-DOE@EXAMPLE.ORG", "Joanna.Citizen-Doe", "ID-0123456789-12", "id-0123456789-12",
    ])
    func `the user's own data are rejected in any case`(password: String) throws {
        let (name, email) = ("Joanna Q. Citizen-Doe", "joanna.citizen-doe@example.org")
        let expected = Message.passwordIsPersonal
        #expect(try objection(to: password, name: name, email: email, userID: "ID-0123456789-12") == expected)
    }

    @Test(arguments: [
        "my JOANNA rides a horse", "joanna.citizen-doe rides", "mail joanna.citizen-doe@example.org",
        "012345678912 is it",
    ])
    func `a text that contains them is rejected`(password: String) throws {
        let email = "Joanna.Citizen-Doe@example.org"
        let expected = Message.passwordContainsName
        #expect(try objection(to: password, name: "Joanna", email: email, userID: "012345678912") == expected)
    }

    @Test func `a name has four letters or more, is compared in NFC, and may be the username or an address`() throws {
        let (joe, skipper, address) = ("joe has an example.org", "the skipper's boat", "joanna.at.example")
        #expect(try objection(to: joe, name: "Joe", email: "joe@example.org") == nil)
        #expect(try objection(to: joe, name: "JoeH") == nil, "a space separates the letters")
        #expect(try objection(to: "joeh as an example", name: "JoeH") == .passwordContainsName)
        #expect(try objection(to: "REN\u{C9}E CITIZEN-DOE", name: "Rene\u{301}e Citizen-Doe") == .passwordIsPersonal)
        #expect(try objection(to: "correct horse battery", name: Self.text("\u{301}\u{323}", 15_000)) == nil)
        #expect(try objection(to: skipper, username: "Skipper") == .passwordContainsName)
        #expect(try objection(to: skipper, username: "j@example.org", email: "j@example.org") == nil)
        #expect(try objection(to: address, name: "", email: address) == .passwordIsPersonal)
        #expect(try objection(to: address, name: "", email: "@", userID: "") == nil)
    }

    // MARK: Settings

    @Test(arguments: [8, 15, 64, 128])
    func `minimum lengths in their range are allowed`(minimum: Int) throws {
        #expect(try objection(to: Self.text("x", minimum - 1), minimum: minimum) == .passwordTooShort(minimum: minimum))
        #expect(try objection(to: Self.text("xy", 64), minimum: minimum) == nil)
        #expect(try objection(to: Self.text("x", 129), minimum: minimum) == Self.long)
    }

    @Test(arguments: [7, 0, 129, .min, .max])
    func `minimum lengths out of their range are rejected`(minimum: Int) throws {
        let error = try #require(throws: SettingError.self) { try ServicePasswordPolicy(minimum: minimum) }
        #expect(error.description == "the minimum length of a password must be from 8 to 128, not \(minimum)")
    }

    @Test func `messages have stable codes, and contain the lengths`() {
        let names = ["TooShort", "TooLong", "TooCommon", "IsPersonal", "ContainsName", "RepeatsCharacter", "Leaked"]
        #expect(ServicePasswordPolicy().messages.map(\.code) == names.map { "signup.password\($0)" })
        let short = Message.passwordTooShort(minimum: 15)
        #expect(short.text == "The password needs at least 15 characters")
        #expect(short.parameters == ["minimum": .number(.integer(15))])
        #expect(Self.long.text == "The password may have at most 128 characters")
        #expect(Self.long.parameters == ["maximum": .number(.integer(128))])
    }
}
