/// How long the texts of an account may be.
public enum AccountLimits {
    /// The most code points of a name: 256.
    public static let name = 256
    /// The most code points of a username: 254.
    public static let username = 254
    /// The most bytes of an email address in UTF-8: 254, as RFC 5321 has it.
    public static let email = 254
    /// The most code points of a password in NFC: 1,024. A policy may allow fewer.
    public static let password = 1024

    /// Checks the texts of an account.
    ///
    /// - Throws: ``AccountTextTooLong``.
    public static func check(
        name: String,
        email: String,
        username: String?,
        contactEmail: String? = nil
    ) throws(AccountTextTooLong) {
        try check(.name, name.unicodeScalars.count, "characters", Self.name)
        try check(.email, email.utf8.count, "bytes", Self.email)
        // A username that is not given is the email address.
        if let username, username != email {
            try check(.username, username.unicodeScalars.count, "characters", Self.username)
        }
        if let contactEmail { try check(.contactEmail, contactEmail.utf8.count, "bytes", Self.email) }
    }

    /// Checks the texts of an account.
    ///
    /// - Throws: ``AccountTextTooLong``.
    public static func check(_ account: Account) throws(AccountTextTooLong) {
        try check(
            name: account.name,
            email: account.email,
            username: account.username,
            contactEmail: account.contactEmail
        )
    }

    /// Checks a password in plain text.
    ///
    /// - Throws: ``AccountTextTooLong``.
    public static func check(password: String) throws(AccountTextTooLong) {
        // No code point in NFC stands for more than four.
        let isBounded = password.hasAtMost(codePoints: 4 * Self.password)
        let count = (isBounded ? password.normalized : password).unicodeScalars.count
        try check(.password, count, "characters", Self.password)
    }

    private static func check(
        _ part: AccountTextTooLong.Part,
        _ count: Int,
        _ unit: String,
        _ maximum: Int
    ) throws(AccountTextTooLong) {
        guard count <= maximum else {
            throw AccountTextTooLong(part: part, count: count, maximum: maximum, unit: unit)
        }
    }
}

/// A text of an account is longer than it may be.
public struct AccountTextTooLong: Error, Equatable, Sendable, CustomStringConvertible {
    /// The texts that have a limit.
    public enum Part: String, Sendable {
        /// What the owner is called.
        case name
        /// The email address.
        case email = "email address"
        /// The name that the owner logs in with.
        case username
        /// The email address that the owner wants to be written to.
        case contactEmail = "contact email address"
        /// The password.
        case password
    }

    /// The text.
    public let part: Part
    /// How long it is.
    public let count: Int
    /// How long it may be.
    public let maximum: Int
    /// What is counted: `characters`, which are Unicode code points, or `bytes`.
    public let unit: String

    public var description: String { "the \(part.rawValue) has \(count) \(unit); at most \(maximum) are allowed" }
}
