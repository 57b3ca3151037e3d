/// The error for an account that would share a unique property with another account.
public enum AccountConflict: String, Error, Equatable, Sendable, CustomStringConvertible {
    /// Another account has the email address, by its ``AccountKey``.
    case email = "another account has this email address"
    /// Another account has the username, by its ``AccountKey``.
    case username = "another account has this username"
    /// Another account has the user ID.
    case userID = "another account has this user ID"
    /// Another account has one of the passkeys.
    case passkey = "another account has this passkey"

    public var description: String { rawValue }
}
