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

extension AccountConflict {
    /// A value that at most one account in a store has.
    package enum UniqueProperty: Sendable {
        case id(AccountID), email(AccountKey), username(AccountKey), userID(String), passkey(PasskeyKey)

        /// The error if another account has the value.
        package var conflict: AccountConflict {
            switch self {
            case .id, .email: .email
            case .username: .username
            case .userID: .userID
            case .passkey: .passkey
            }
        }
    }

    /// The unique values of an account, in the order in which all stores check them.
    package static func properties(of account: Account) -> [UniqueProperty] {
        [.email(AccountKey(account.email)), .id(account.id), .username(AccountKey(account.username))]
            + (account.userID.map { [.userID($0)] } ?? []) + account.passkeyKeys.map { .passkey($0) }
    }
}
