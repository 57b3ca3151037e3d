/// The error for a text of an account that exceeds its maximum length.
public struct AccountTextTooLong: Error, Equatable, Sendable, CustomStringConvertible {
    /// The texts that have a maximum length.
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

    /// The text that is too long.
    public let part: Part
    /// Its length in ``unit``.
    public let count: Int
    /// The maximum length in ``unit``.
    public let maximum: Int
    /// The unit: `characters`, which are Unicode code points, or `bytes`.
    public let unit: String

    public var description: String { "the \(part.rawValue) has \(count) \(unit); at most \(maximum) are allowed" }
}
