/// The error for an account that would share a unique property with another account.
public enum AccountConflict: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another account has the email address, by its ``AccountKey``.
    case email
    /// Another account has the username, by its ``AccountKey``.
    case username
    /// Another account has the user ID.
    case userID
    /// Another account has one of the passkeys.
    case passkey

    public var description: String {
        switch self {
        case .email: "another account has this email address"
        case .username: "another account has this username"
        case .userID: "another account has this user ID"
        case .passkey: "another account has this passkey"
        }
    }
}
