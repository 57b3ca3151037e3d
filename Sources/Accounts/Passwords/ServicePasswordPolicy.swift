public import BundledControllers
public import BusinessLogic

/// A password policy for a public service, following NIST SP 800-63B: passwords must be long, not common or leaked, and must not contain
/// the user's name, email address or user ID. It does not require characters of certain kinds.
///
/// Lengths are in Unicode code points of the password in NFC (Unicode Standard Annex 15), the form that ``PasswordHasher``
/// hashes.
public struct ServicePasswordPolicy: PasswordPolicy {
    /// The minimum length in code points; 15 by default.
    public let minimum: Int
    /// The maximum length in code points. NIST requires at least 64.
    public static let maximum = 128

    /// The allowed values of ``minimum``. NIST requires 15 for a password alone, and 8 with a second factor.
    public static let minimumRange = 8...maximum

    private let leaked: LeakedPasswords?

    /// The minimum length of a name that a password must not contain, in code points. A password may contain a shorter one by chance.
    private static let minimumNameLength = 4

    /// The policy of 15 to 128 code points.
    public init() {
        minimum = 15
        leaked = nil
    }

    /// A policy with that minimum.
    ///
    /// - Parameters:
    ///   - minimum: the minimum length in code points, in ``minimumRange``.
    ///   - leaked: the leaked passwords, which are rejected; `nil` for no such list.
    /// - Throws: ``SettingError`` if the minimum is out of its range.
    public init(minimum: Int, leaked: LeakedPasswords? = nil) throws(SettingError) {
        try SettingError.check(minimum, "minimum length of a password", in: Self.minimumRange)
        self.minimum = minimum
        self.leaked = leaked
    }

    /// The message for a user whose password is rejected; `nil` if the password is acceptable.
    ///
    /// Rejects a password that is too short or too long, is one of the 10,000 most common ones, repeats one character, is or contains the
    /// user's name, email address, the part of the address before the `@`, or user ID, or is in the list of leaked passwords. Ignores
    /// case, except for leaked passwords. A name of less than four code points may be in a password. Takes bounded time, whatever a client
    /// sends.
    public func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
        // NFC composes at most four code points to one.
        guard password.hasAtMost(codePoints: 4 * Self.maximum) else { return .passwordTooLong(maximum: Self.maximum) }
        let password = password.normalized
        let length = password.unicodeScalars.count
        if length < minimum { return .passwordTooShort(minimum: minimum) }
        if length > Self.maximum { return .passwordTooLong(maximum: Self.maximum) }
        let key = AccountKey(password)
        if CommonPasswords.contains(key.text) { return .passwordTooCommon }
        let localPart = email.flatMap { email in email.lastIndex(of: "@").map { String(email[..<$0]) } }
        let keys = [name, email, localPart, userID].compactMap { $0 }.map { AccountKey($0) }
        if keys.contains(key) { return .passwordIsPersonal }
        if keys.contains(where: { Self.contains(key, $0) }) { return .passwordContainsName }
        if Set(key.text).count == 1 { return .passwordRepeatsCharacter }
        return leaked?.contains(password) == true ? .passwordLeaked : nil
    }

    private static func contains(_ password: AccountKey, _ name: AccountKey) -> Bool {
        name.text.unicodeScalars.count >= minimumNameLength && password.bytes.contains(name.bytes)
    }

    public var messages: [Message] {
        [
            .passwordTooShort(minimum: minimum), .passwordTooLong(maximum: Self.maximum), .passwordTooCommon,
            .passwordIsPersonal, .passwordContainsName, .passwordRepeatsCharacter, .passwordLeaked,
        ]
    }
}

extension Message {
    /// The password has fewer code points than the minimum.
    public static func passwordTooShort(minimum: Int) -> Message {
        Message(
            code: "signup.passwordTooShort",
            text: "The password needs at least \(minimum) characters",
            parameters: ["minimum": Value(minimum)]
        )
    }

    /// The password has more code points than the maximum.
    public static func passwordTooLong(maximum: Int) -> Message {
        Message(
            code: "signup.passwordTooLong",
            text: "The password may have at most \(maximum) characters",
            parameters: ["maximum": Value(maximum)]
        )
    }

    /// The password is one of the most common ones.
    public static let passwordTooCommon = Message(
        code: "signup.passwordTooCommon",
        text: "The password is one that many people use"
    )

    /// The password is the user's name, email address or user ID.
    public static let passwordIsPersonal = Message(
        code: "signup.passwordIsPersonal",
        text: "The password must not be your name, email address or user ID"
    )

    /// The password contains the user's name, the part of the email address before the `@`, or the user ID.
    public static let passwordContainsName = Message(
        code: "signup.passwordContainsName",
        text: "The password must not contain your name, the part of your email address before the @, or your user ID"
    )

    /// The password repeats one character.
    public static let passwordRepeatsCharacter = Message(
        code: "signup.passwordRepeatsCharacter",
        text: "The password must not repeat a single character"
    )

    /// The password is in the list of leaked passwords.
    public static let passwordLeaked = Message(
        code: "signup.passwordLeaked",
        text: "The password is in a list of passwords that attackers try, because it was stolen from another service"
    )
}
