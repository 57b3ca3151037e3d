import Accounts
import BundledControllers
import BusinessLogic
import Testing

@Suite struct ServicePasswordPolicyTests {
    private let policy = ServicePasswordPolicy()

    private func objection(to password: String, _ policy: ServicePasswordPolicy = ServicePasswordPolicy()) -> Message? {
        policy.objection(to: password, name: nil, email: nil, userID: nil)
    }

    // MARK: Lengths

    @Test func `fifteen characters are enough, fourteen are not`() {
        #expect(objection(to: "correct horse b") == nil)
        #expect(objection(to: "correct horse ") == .passwordTooShort(minimum: 15))
        #expect(objection(to: "") == .passwordTooShort(minimum: 15))
    }

    @Test func `128 characters are allowed, 129 are not`() {
        #expect(objection(to: String(repeating: "xy", count: 64)) == nil)
        #expect(objection(to: String(repeating: "x", count: 129)) == .passwordTooLong(maximum: 128))
    }

    @Test func `all kinds of characters are allowed, and none is required`() {
        #expect(objection(to: "aaaaaaaaaaaaaab") == nil)
        #expect(objection(to: "        \t       ") == nil)
        #expect(objection(to: "\0\u{7}\n\t\u{1F3D4}\u{5D0}\u{200B} 12345678") == nil)
    }

    @Test func `the length is the number of code points in NFC`() throws {
        let eight = try ServicePasswordPolicy(minimum: 8)
        // One code point in NFC, two in NFD.
        #expect(objection(to: String(repeating: "e\u{301}", count: 7), eight) == .passwordTooShort(minimum: 8))
        #expect(objection(to: String(repeating: "e\u{301}a\u{301}", count: 4), eight) == nil)
        #expect(objection(to: String(repeating: "e\u{301}a\u{301}", count: 64), eight) == nil)
        // Nothing composes these: two code points each, and one character each.
        #expect(objection(to: String(repeating: "q\u{301}x\u{301}", count: 2), eight) == nil)
        #expect(objection(to: String(repeating: "q\u{301}", count: 65), eight) == .passwordTooLong(maximum: 128))
        // One code point, four bytes.
        #expect(objection(to: String(repeating: "\u{1F3D4}", count: 7), eight) == .passwordTooShort(minimum: 8))
        #expect(objection(to: String(repeating: "\u{1F3D4}\u{1F3D5}", count: 64), eight) == nil)
    }

    // MARK: Common passwords

    @Test func `a common password is rejected in upper and lower case`() throws {
        #expect(objection(to: "1qaz2wsx3edc4rfv") == .passwordTooCommon)
        #expect(objection(to: "1QAZ2wsx3edc4RFV") == .passwordTooCommon)
        #expect(objection(to: "1qaz2wsx3edc4rfv!") == nil)
        let eight = try ServicePasswordPolicy(minimum: 8)
        #expect(objection(to: "Password", eight) == .passwordTooCommon)
        #expect(objection(to: "12345678", eight) == .passwordTooCommon)
        // The Kelvin sign is a k in lower case.
        #expect(objection(to: "123456789\u{212A}", eight) == .passwordTooCommon)
    }

    // MARK: The user's own data

    @Test(arguments: [
        "Joanna Q. Citizen-Doe", "joanna q. citizen-doe", "joanna.citizen-doe@example.org",
        "JOANNA.CITIZEN-DOE@EXAMPLE.ORG", "Joanna.Citizen-Doe", "ID-0123456789-12", "id-0123456789-12",
    ])
    func `the user's own data are rejected in upper and lower case`(password: String) {
        let objection = policy.objection(
            to: password,
            name: "Joanna Q. Citizen-Doe",
            email: "joanna.citizen-doe@example.org",
            userID: "ID-0123456789-12"
        )
        #expect(objection == .passwordIsPersonal)
    }

    @Test func `the user's own data are compared in NFC`() {
        let name = "Rene\u{301}e Citizen-Doe"
        #expect(
            policy.objection(to: "REN\u{C9}E CITIZEN-DOE", name: name, email: nil, userID: nil) == .passwordIsPersonal
        )
    }

    @Test(arguments: [
        "my JOANNA rides a horse", "joanna.citizen-doe rides", "mail joanna.citizen-doe@example.org",
        "012345678912 is it",
    ])
    func `a password that contains the user's own data is rejected in upper and lower case`(password: String) {
        let objection = policy.objection(
            to: password,
            name: "Joanna",
            email: "Joanna.Citizen-Doe@example.org",
            userID: "012345678912"
        )
        #expect(objection == .passwordContainsName)
    }

    @Test func `a password may contain a name of three letters, and the host of the email address`() {
        let password = "joe has an example.org"
        #expect(policy.objection(to: password, name: "Joe", email: "joe@example.org", userID: nil) == nil)
        #expect(
            policy.objection(to: password, name: "JoeH", email: nil, userID: nil) == nil,
            "the space separates the letters"
        )
        #expect(
            policy.objection(to: "joeh as an example", name: "JoeH", email: nil, userID: nil) == .passwordContainsName
        )
    }

    @Test func `a username that is not the email address counts as a name`() {
        func objection(_ username: String?) -> Message? {
            policy.objection(
                to: "the skipper's boat",
                name: "Joanna",
                username: username,
                email: "j@example.org",
                userID: nil
            )
        }
        #expect(objection("Skipper") == .passwordContainsName)
        #expect(objection("j@example.org") == nil)
        #expect(objection(nil) == nil)
    }

    // MARK: One character

    @Test(arguments: ["a", "A", " ", "\u{1F3D4}", "e\u{301}", "q\u{301}"])
    func `one repeated character is rejected`(character: String) {
        #expect(objection(to: String(repeating: character, count: 15)) == .passwordRepeatsCharacter)
        #expect(objection(to: String(repeating: character, count: 15) + "!") == nil)
    }

    @Test func `one letter repeated in upper and lower case is rejected`() {
        #expect(objection(to: "aAaAaAaAaAaAaAa") == .passwordRepeatsCharacter)
    }

    @Test func `an email address without an at sign is compared as a whole`() {
        #expect(
            policy.objection(to: "joanna.at.example", name: "", email: "joanna.at.example", userID: "")
                == .passwordIsPersonal
        )
        #expect(policy.objection(to: "joanna.at.example", name: "", email: "@", userID: "") == nil)
    }

    // MARK: Settings

    @Test(arguments: [8, 15, 64, 128])
    func `minimum lengths in their range are allowed`(minimum: Int) throws {
        let policy = try ServicePasswordPolicy(minimum: minimum)
        #expect(
            objection(to: String(repeating: "x", count: minimum - 1), policy) == .passwordTooShort(minimum: minimum)
        )
        #expect(objection(to: String(repeating: "xy", count: 64), policy) == nil)
        #expect(objection(to: String(repeating: "x", count: 129), policy) == .passwordTooLong(maximum: 128))
    }

    @Test(arguments: [7, 0, 129, .min, .max])
    func `minimum lengths out of their range are rejected`(minimum: Int) {
        #expect(throws: PasswordSettingError.self) { try ServicePasswordPolicy(minimum: minimum) }
    }

    @Test func `the error names the allowed range`() throws {
        let error = try #require(throws: PasswordSettingError.self) { try ServicePasswordPolicy(minimum: 7) }
        #expect(error.description == "the minimum length of a password must be from 8 to 128, not 7")
    }

    // MARK: Messages

    @Test func `messages have stable codes and contain the lengths`() {
        #expect(Message.passwordTooShort(minimum: 15).code == "signup.passwordTooShort")
        #expect(Message.passwordTooShort(minimum: 15).text == "The password needs at least 15 characters")
        #expect(Message.passwordTooShort(minimum: 15).parameters == ["minimum": .number(.integer(15))])
        #expect(Message.passwordTooLong(maximum: 128).code == "signup.passwordTooLong")
        #expect(Message.passwordTooLong(maximum: 128).text == "The password may have at most 128 characters")
        #expect(Message.passwordTooLong(maximum: 128).parameters == ["maximum": .number(.integer(128))])
        #expect(Message.passwordTooCommon.code == "signup.passwordTooCommon")
        #expect(Message.passwordIsPersonal.code == "signup.passwordIsPersonal")
        #expect(Message.passwordContainsName.code == "signup.passwordContainsName")
        #expect(Message.passwordRepeatsCharacter.code == "signup.passwordRepeatsCharacter")
        #expect(Message.passwordLeaked.code == "signup.passwordLeaked")
    }

    @Test(arguments: [
        "short", String(repeating: "long ", count: 30), "bartholomew simpson", "football", "bartholomew simpsons",
        "zzzzzzzz",
    ])
    func `each objection is a message that the policy declares`(password: String) throws {
        let policy = try ServicePasswordPolicy(minimum: 8)
        let name = "Bartholomew Simpson"
        let objection = try #require(policy.objection(to: password, name: name, email: nil, userID: nil))
        #expect(policy.messages.contains(objection))
        #expect(policy.messages.count == 7)
    }

    @Test func `a password of thousands of combining marks is too long`() {
        let marks = String(repeating: "\u{301}\u{323}", count: 15_000)
        #expect(objection(to: marks) == .passwordTooLong(maximum: 128))
        #expect(policy.objection(to: "correct horse battery", name: marks, email: nil, userID: nil) == nil)
    }
}
