public import BundledControllers
public import BusinessLogic
import Foundation

/// A password policy for a public service, following NIST SP 800-63B: passwords must be long, not common, and different from
/// the user's name, email address and user ID. It does not require characters of certain kinds.
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

    /// The policy of 15 to 128 code points.
    public init() {
        minimum = 15
    }

    /// A policy with that minimum.
    ///
    /// - Parameter minimum: the minimum length in code points, in ``minimumRange``.
    /// - Throws: ``PasswordSettingError`` if it is out of its range.
    public init(minimum: Int) throws(PasswordSettingError) {
        try PasswordSettingError.check(minimum, "minimum length of a password", in: Self.minimumRange)
        self.minimum = minimum
    }

    /// The message for a user whose password is rejected; `nil` if the password is acceptable.
    ///
    /// Rejects a password that is too short or too long, is one of the 10,000 most common ones, or is the user's name, email
    /// address, the part of the address before the `@`, or user ID. Ignores case. Takes bounded time, whatever a client sends.
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
        let personal = [name, email, localPart, userID].compactMap { $0 }
        return personal.contains { AccountKey($0) == key } ? .passwordIsPersonal : nil
    }

    public var messages: [Message] {
        [
            .passwordTooShort(minimum: minimum), .passwordTooLong(maximum: Self.maximum), .passwordTooCommon,
            .passwordIsPersonal,
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
}
