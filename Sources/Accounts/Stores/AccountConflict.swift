/// The error for an account that would share a unique property with another account.
public enum AccountConflict: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another account has the email address, by its ``AccountKey``.
    case email
    /// Another account has the username, by its ``AccountKey``.
    case username
    /// Another account has the user ID.
    case userID

    public var description: String {
        switch self {
        case .email: "another account has this email address"
        case .username: "another account has this username"
        case .userID: "another account has this user ID"
        }
    }
}

extension AccountConflict {
    /// The first conflict of an account with others in a store, in the order in which all stores check; `nil` without a conflict.
    ///
    /// - Parameters:
    ///   - account: the account to add or to change.
    ///   - isTaken: whether another account has that value of a property.
    package static func of(_ account: Account, isTaken: (UniqueProperty) throws -> Bool) rethrows -> AccountConflict? {
        if try isTaken(.email(AccountKey(account.email))) || isTaken(.id(account.id)) { return .email }
        if try isTaken(.username(AccountKey(account.username))) { return .username }
        if let userID = account.userID, try isTaken(.userID(userID)) { return .userID }
        return nil
    }

    /// A value that at most one account in a store has.
    package enum UniqueProperty {
        case id(AccountID), email(AccountKey), username(AccountKey), userID(String)
    }
}
