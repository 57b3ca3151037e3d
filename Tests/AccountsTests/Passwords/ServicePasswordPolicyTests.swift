import Accounts
import TestSupport

@Suite struct ServicePasswordPolicyTests {
    /// A password, and why a policy rejects it.
    private struct Password: CustomTestStringConvertible {
        let testDescription: String
        let password: String
        let minimum: Int
        let (name, username, email, userID): (String?, String?, String?, String?)
        let objection: Message?

        init(
            _ testDescription: String,
            _ password: String,
            _ objection: Message? = nil,
            minimum: Int = 15,
            name: String? = nil,
            username: String? = nil,
            email: String? = nil,
            userID: String? = nil
        ) {
            (self.testDescription, self.password, self.objection) = (testDescription, password, objection)
            (self.name, self.username, self.email, self.userID) = (name, username, email, userID)
            self.minimum = minimum
        }
    }

    private static func text(_ part: String, _ count: Int) -> String { String(repeating: part, count: count) }

    private static let short = Message.passwordTooShort(minimum: 15)
    private static let shorter = Message.passwordTooShort(minimum: 8)
    private static let long = Message.passwordTooLong(maximum: 128)

    private static let lengths = [
        Password("fifteen characters are enough", "correct horse b"),
        Password("fourteen are not", "correct horse ", short), Password("none are not", "", short),
        Password("128 characters are allowed", text("xy", 64)), Password("129 are not", text("x", 129), long),
        Password("no kind of character is required", "aaaaaaaaaaaaaab"),
        Password("white space is allowed", "    \t   \t   \t   "),
        Password("all kinds are allowed", "\0\u{7}\n\t\u{1F3D4}\u{5D0}\u{200B} 12345678"),
        Password(
            "what NFC composes is one character, also if there are too few",
            text("e\u{301}", 7),
            shorter,
            minimum: 8
        ),
        Password("as many as are enough", text("e\u{301}a\u{301}", 4), minimum: 8),
        Password("as many as are allowed", text("e\u{301}a\u{301}", 64), minimum: 8),
        Password("what NFC does not compose is two characters", text("q\u{301}x\u{301}", 2), minimum: 8),
        Password("also if there are too many", text("q\u{301}", 65), long, minimum: 8),
        Password("a code point of four bytes is one character", text("\u{1F3D4}", 7), shorter, minimum: 8),
        Password("as are 128 of them", text("\u{1F3D4}\u{1F3D5}", 64), minimum: 8),
        Password("thousands of combining marks are too many", text("\u{301}\u{323}", 15_000), long),
        Password("they may be in a name", "correct horse battery", name: text("\u{301}\u{323}", 15_000)),
    ]

    private static let common = [
        Password("a common password", "1qaz2wsx3edc4rfv", .passwordTooCommon),
        Password("in upper case", "1QAZ2wsx3edc4RFV", .passwordTooCommon),
        Password("with another character, it is not common", "1qaz2wsx3edc4rfv!"),
        Password("a word", "Password", .passwordTooCommon, minimum: 8),
        Password("digits", "12345678", .passwordTooCommon, minimum: 8),
        Password("the Kelvin sign is a k in lower case", "123456789\u{212A}", .passwordTooCommon, minimum: 8),
    ]

    private static let repeated =
        ["a", "A", " ", "\u{1F3D4}", "e\u{301}", "q\u{301}"].flatMap { character in
            [
                Password("one repeated character", text(character, 15), .passwordRepeatsCharacter),
                Password("with another one", text(character, 15) + "!"),
            ]
        } + [Password("one letter in both cases", "aAaAaAaAaAaAaAa", .passwordRepeatsCharacter)]

    private static let personal =
        [
            "Joanna Q. Citizen-Doe", "joanna q. citizen-doe", "joanna.citizen-doe@example.org",
            "JOANNA.CITIZEN-DOE@EXAMPLE.ORG", "Joanna.Citizen-Doe", "ID-0123456789-12", "id-0123456789-12",
        ].map { password in
            Password(
                "the user's own data, in any case",
                password,
                .passwordIsPersonal,
                name: "Joanna Q. Citizen-Doe",
                email: "joanna.citizen-doe@example.org",
                userID: "ID-0123456789-12"
            )
        }
        + [
            "my JOANNA rides a horse", "joanna.citizen-doe rides", "mail joanna.citizen-doe@example.org",
            "012345678912 is it",
        ].map { password in
            Password(
                "a text that contains them",
                password,
                .passwordContainsName,
                name: "Joanna",
                email: "Joanna.Citizen-Doe@example.org",
                userID: "012345678912"
            )
        }
        + [
            Password(
                "they are compared in NFC",
                "REN\u{C9}E CITIZEN-DOE",
                .passwordIsPersonal,
                name: "Rene\u{301}e Citizen-Doe"
            ),
            Password(
                "a name of three letters, and a host",
                "joe has an example.org",
                name: "Joe",
                email: "joe@example.org"
            ),
            Password("a space separates the letters", "joe has an example.org", name: "JoeH"),
            Password("a name of four letters", "joeh as an example", .passwordContainsName, name: "JoeH"),
            Password("a username is a name", "the skipper's boat", .passwordContainsName, username: "Skipper"),
            Password(
                "unless it is the address",
                "the skipper's boat",
                username: "j@example.org",
                email: "j@example.org"
            ),
            Password(
                "an address without an @",
                "joanna.at.example",
                .passwordIsPersonal,
                name: "",
                email: "joanna.at.example"
            ),
            Password("an @ alone", "joanna.at.example", name: "", email: "@", userID: ""),
        ]

    @Test(arguments: lengths + common + repeated + personal)
    private func `the policy accepts or rejects a password`(password: Password) throws {
        let policy = try ServicePasswordPolicy(minimum: password.minimum)
        let objection = policy.objection(
            to: password.password,
            name: password.name,
            username: password.username,
            email: password.email,
            userID: password.userID
        )
        #expect(objection == password.objection)
        if let objection { #expect(policy.messages.contains(objection)) }
    }

    // MARK: Settings

    @Test(arguments: [8, 15, 64, 128])
    func `minimum lengths in their range are allowed`(minimum: Int) throws {
        let policy = try ServicePasswordPolicy(minimum: minimum)
        func objection(_ password: String) -> Message? {
            policy.objection(to: password, name: nil, email: nil, userID: nil)
        }
        #expect(objection(Self.text("x", minimum - 1)) == .passwordTooShort(minimum: minimum))
        #expect(objection(Self.text("xy", 64)) == nil)
        #expect(objection(Self.text("x", 129)) == Self.long)
    }

    @Test(arguments: [7, 0, 129, .min, .max])
    func `minimum lengths out of their range are rejected`(minimum: Int) throws {
        let error = try #require(throws: SettingError.self) { try ServicePasswordPolicy(minimum: minimum) }
        #expect(error.description == "the minimum length of a password must be from 8 to 128, not \(minimum)")
    }

    @Test(
        arguments: [
            (.passwordTooShort(minimum: 15), "TooShort"), (.passwordTooLong(maximum: 128), "TooLong"),
            (.passwordTooCommon, "TooCommon"), (.passwordIsPersonal, "IsPersonal"),
            (.passwordContainsName, "ContainsName"), (.passwordRepeatsCharacter, "RepeatsCharacter"),
            (.passwordLeaked, "Leaked"),
        ] as [(Message, String)]
    )
    func `messages have stable codes`(message: Message, name: String) {
        #expect(message.code == "signup.password\(name)")
        #expect(ServicePasswordPolicy().messages.map(\.code).contains(message.code))
        #expect(ServicePasswordPolicy().messages.count == 7)
    }

    @Test func `messages contain the lengths`() {
        #expect(Self.short.text == "The password needs at least 15 characters")
        #expect(Self.short.parameters == ["minimum": .number(.integer(15))])
        #expect(Self.long.text == "The password may have at most 128 characters")
        #expect(Self.long.parameters == ["maximum": .number(.integer(128))])
    }
}
