/// The texts of an account, and what they may be.
public enum AccountText: String, Sendable {
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

    /// The maximum length: of addresses in bytes of UTF-8, as in RFC 5321; of other texts in code points. A policy may allow shorter passwords only.
    package var maximum: Int {
        switch self {
        case .name: 256
        case .email, .contactEmail, .username: 254
        case .note: 1000
        case .password: 1024
        }
    }

    private func length(of text: String) -> Int {
        switch self {
        case .email, .contactEmail: return text.utf8.count
        case .name, .username, .note: return text.unicodeScalars.count
        case .password:
            // In NFC, which composes at most four code points to one.
            let isBounded = text.hasAtMost(codePoints: 4 * maximum)
            return (isBounded ? text.normalized : text).unicodeScalars.count
        }
    }

    /// Checks the length of a text, and that a username can be read and typed.
    package func check(_ text: String) throws(AccountTextError) {
        let count = length(of: text)
        guard count <= maximum else {
            let unit = [.email, .contactEmail].contains(self) ? "bytes" : "characters"
            throw AccountTextError(part: self, reason: "has \(count) \(unit); at most \(maximum) are allowed")
        }
        guard self == .username else { return }
        if text.isEmpty { throw AccountTextError(part: self, reason: "is empty") }
        if text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
            throw AccountTextError(part: self, reason: "consists only of white space")
        }
        if text.containsControlCharacter {
            throw AccountTextError(part: self, reason: "contains a control character, such as a line break or a tab")
        }
    }
}

extension Account {
    func checkTexts() throws(AccountTextError) {
        try AccountText.name.check(name)
        try AccountText.email.check(email)
        try AccountText.username.check(username)
        if let contactEmail { try AccountText.contactEmail.check(contactEmail) }
        if let note { try AccountText.note.check(note) }
    }
}

/// The error for a text that an account cannot have: it exceeds its maximum length, or is a username that cannot be read or typed.
public struct AccountTextError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text that is wrong.
    public let part: AccountText
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
