public import BusinessLogic
import Foundation

/// Names an account for good, whatever else of it changes: a UUID in lower case.
public struct AccountID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    /// The id as it is written.
    public let text: String

    /// The id that is written so.
    public init(_ text: String) {
        self.text = text
    }

    /// A new id, of 122 random bits.
    public static func random() -> AccountID {
        AccountID(UUID().uuidString.lowercased())
    }

    public static func < (left: AccountID, right: AccountID) -> Bool {
        left.text < right.text
    }

    public var description: String { text }

    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        try text.encode(to: encoder)
    }
}

/// Somebody who can log in.
public struct Account: Equatable, Codable, Sendable {
    /// Names the account for good.
    public let id: AccountID
    /// What its owner is called.
    public var name: String
    /// The address that it was signed up with. No two accounts have the same, by ``AccountKey``.
    public var email: String
    /// The name that one logs in with. No two accounts have the same, by ``AccountKey``.
    public var username: String
    /// The user ID that its owner has registered: twelve digits. No two accounts have the same.
    public var userID: String?
    /// The address that its owner wants to be written to, where that is another one than ``email``.
    public var contactEmail: String?
    /// The password, as a PHC string (`$argon2id$…`).
    public var passwordHash: String
    /// When it was signed up.
    public let created: Timestamp
    /// Whether nobody can log in to it.
    public var isDisabled: Bool

    /// An account; one logs in with the email address unless there is a username.
    public init(
        id: AccountID = .random(),
        name: String,
        email: String,
        username: String? = nil,
        userID: String? = nil,
        contactEmail: String? = nil,
        passwordHash: String,
        created: Timestamp,
        isDisabled: Bool = false
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.username = username ?? email
        self.userID = userID
        self.contactEmail = contactEmail
        self.passwordHash = passwordHash
        self.created = created
        self.isDisabled = isDisabled
    }
}

/// What an email address or a username is compared by: NFC (Unicode Standard Annex 15), in lower case, so that neither
/// capitals nor how a character is composed tell two of them apart.
///
/// The time that it takes to make a key grows in proportion to the length of the text, whatever a client sends.
public struct AccountKey: Hashable, Comparable, Sendable {
    /// The text that is compared, byte by byte.
    public let text: String

    /// More code points than any account's name can have, however it is composed.
    private static let longestCompared = 1024

    /// The key of an email address or a username. A text of more than 1,024 code points, which no account may have, is its
    /// own key as it is.
    public init(_ name: String) {
        guard name.hasAtMost(codePoints: Self.longestCompared) else {
            text = name
            return
        }
        // Lower case may decompose, so that the order matters.
        let lowercased = name.normalized.lowercased().normalized
        // The one letter that has two small forms, by its place in a word.
        text =
            lowercased.unicodeScalars.contains("\u{3C2}")
            ? lowercased.replacing("\u{3C2}", with: "\u{3C3}") : lowercased
    }

    public static func == (left: AccountKey, right: AccountKey) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    public static func < (left: AccountKey, right: AccountKey) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
