public import BundledControllers
public import BusinessLogic
import Foundation

/// Which passwords a service takes that is reached by anybody, as NIST SP 800-63B says: long
/// ones that are neither common nor the person's own names. It asks for no kinds of characters.
///
/// Lengths are counted in Unicode code points of the NFC (Unicode Standard Annex 15), which is what ``Argon2id`` hashes.
public struct ServicePasswordPolicy: PasswordPolicy {
    /// The fewest code points of a password: 15 unless set.
    public let minimum: Int
    /// The most code points of a password: 128 unless set.
    public let maximum: Int

    /// What ``minimum`` may be. NIST's is 15 for a password that is all that one logs in with, and 8 beside another factor.
    public static let minimumRange = 8...128
    /// What ``maximum`` may be, where ``minimum`` is not more: NIST wants 64 at the least.
    public static let maximumRange = 64...1024

    /// The policy of 15 to 128 code points.
    public init() {
        minimum = 15
        maximum = 128
    }

    /// A policy.
    ///
    /// - Parameters:
    ///   - minimum: the fewest code points, in ``minimumRange``.
    ///   - maximum: the most code points, in ``maximumRange``, and not less than the minimum.
    /// - Throws: ``PasswordSettingError`` where one of them is out of its range.
    public init(minimum: Int, maximum: Int = 128) throws(PasswordSettingError) {
        try PasswordSettingError.check(minimum, "minimum length of a password", in: Self.minimumRange)
        let maximumRange = max(minimum, Self.maximumRange.lowerBound)...Self.maximumRange.upperBound
        try PasswordSettingError.check(maximum, "maximum length of a password", in: maximumRange)
        self.minimum = minimum
        self.maximum = maximum
    }

    /// What is wrong with a password: that it is too short or too long; that it is among the 10,000 commonest ones; that it
    /// is the name, the email address, what is before the `@` of that, or the user ID. Capitals make no difference.
    ///
    /// The time that it takes is bounded, whatever a client sends.
    public func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
        // No code point in NFC stands for more than four.
        guard password.hasAtMost(codePoints: 4 * maximum) else { return .passwordTooLong(maximum: maximum) }
        let password = password.normalized
        let length = password.unicodeScalars.count
        if length < minimum { return .passwordTooShort(minimum: minimum) }
        if length > maximum { return .passwordTooLong(maximum: maximum) }
        let key = AccountKey(password)
        if CommonPasswords.contains(key.text) { return .passwordTooCommon }
        let localPart = email.flatMap { email in email.lastIndex(of: "@").map { String(email[..<$0]) } }
        let personal = [name, email, localPart, userID].compactMap { $0 }
        return personal.contains { AccountKey($0) == key } ? .passwordIsPersonal : nil
    }
}

extension Message {
    /// The password has fewer code points than it needs.
    public static func passwordTooShort(minimum: Int) -> Message {
        Message(
            code: "signup.passwordTooShort",
            text: "The password needs at least \(minimum) characters",
            parameters: ["minimum": Value(minimum)]
        )
    }

    /// The password has more code points than it may have.
    public static func passwordTooLong(maximum: Int) -> Message {
        Message(
            code: "signup.passwordTooLong",
            text: "The password may have at most \(maximum) characters",
            parameters: ["maximum": Value(maximum)]
        )
    }

    /// The password is one of those that are guessed first.
    public static let passwordTooCommon = Message(
        code: "signup.passwordTooCommon",
        text: "The password is one that many people use"
    )

    /// The password is the person's name, email address or user ID.
    public static let passwordIsPersonal = Message(
        code: "signup.passwordIsPersonal",
        text: "The password must not be your name, email address or user ID"
    )
}
