import FoundationEssentials

/// The permanent identifier of an account: a UUID in lower case.
public struct AccountID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The identifier as text.
    public let text: String

    /// The identifier with that text.
    public init(_ text: String) {
        self.text = text
    }

    /// A new identifier with 122 random bits.
    public static func random() -> AccountID { AccountID(UUID().uuidString.lowercased()) }

    public static func < (left: AccountID, right: AccountID) -> Bool { left.text < right.text }

    public var description: String { text }
}
