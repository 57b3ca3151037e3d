/// What the texts of an account may be. Each check throws an ``AccountTextError``.
package enum AccountLimits {
    /// Code points of a name.
    package static let name = 256
    /// Code points of a username.
    package static let username = 254
    /// Bytes of an email address in UTF-8, as in RFC 5321.
    package static let email = 254
    /// Code points of a note.
    package static let note = 1000
    /// Code points of a password in NFC. A policy may allow fewer.
    package static let password = 1024

    /// Checks all texts of an account.
    package static func check(_ account: Account) throws(AccountTextError) {
        try check(name: account.name)
        try check(email: account.email)
        try check(username: account.username)
        if let contactEmail = account.contactEmail { try check(contactEmail: contactEmail) }
        if let note = account.note { try check(note: note) }
    }

    package static func check(name: String) throws(AccountTextError) {
        try check(.name, name.unicodeScalars.count, "characters", Self.name)
    }

    package static func check(email: String) throws(AccountTextError) {
        try check(.email, email.utf8.count, "bytes", Self.email)
    }

    /// Checks the length of a username, and that it can be read and typed.
    package static func check(username: String) throws(AccountTextError) {
        try check(.username, username.unicodeScalars.count, "characters", Self.username)
        if username.isEmpty { throw AccountTextError(part: .username, reason: "is empty") }
        if username.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
            throw AccountTextError(part: .username, reason: "consists only of white space")
        }
        if username.containsControlCharacter {
            throw AccountTextError(
                part: .username,
                reason: "contains a control character, such as a line break or a tab"
            )
        }
    }

    package static func check(contactEmail: String) throws(AccountTextError) {
        try check(.contactEmail, contactEmail.utf8.count, "bytes", Self.email)
    }

    package static func check(note: String) throws(AccountTextError) {
        try check(.note, note.unicodeScalars.count, "characters", Self.note)
    }

    /// Checks a password in plain text.
    package static func check(password: String) throws(AccountTextError) {
        // NFC composes at most four code points to one.
        let isBounded = password.hasAtMost(codePoints: 4 * Self.password)
        let count = (isBounded ? password.normalized : password).unicodeScalars.count
        try check(.password, count, "characters", Self.password)
    }

    private static func check(
        _ part: AccountTextError.Part,
        _ count: Int,
        _ unit: String,
        _ maximum: Int
    ) throws(AccountTextError) {
        guard count <= maximum else {
            throw AccountTextError(part: part, reason: "has \(count) \(unit); at most \(maximum) are allowed")
        }
    }
}

/// The error for a text that an account cannot have: it exceeds its maximum length, or is a username that cannot be read or typed.
public struct AccountTextError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The texts of an account.
    public enum Part: String, Sendable {
        /// The user's display name.
        case name
        /// The email address.
        case email = "email address"
        /// The name with which the user logs in.
        case username
        /// The address at which the user wants to be contacted.
        case contactEmail = "contact email address"
        /// What an operator has noted.
        case note
        /// The password.
        case password
    }

    /// The text that is wrong.
    public let part: Part
    /// What is wrong with it. A character is a Unicode code point.
    public let reason: String

    public var description: String { "the \(part.rawValue) \(reason)" }
}

extension String {
    /// Whether the text contains a line break or another control character, which could end a line of a list, a message or a protocol.
    package var containsControlCharacter: Bool {
        unicodeScalars.contains { scalar in
            [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
    }
}
