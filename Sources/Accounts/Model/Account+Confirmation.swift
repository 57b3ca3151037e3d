internal import BusinessLogic

/// A sign-up whose address must be confirmed creates an account whose password does not work yet: its hash begins with `!`, as that of a locked
/// account in `shadow(5)`.
extension Account {
    private static let lock = "!"

    /// Whether the address was never confirmed, so that the password does not work yet.
    package var isUnconfirmed: Bool { passwordHash.hasPrefix(Self.lock) }

    /// The account with a password that works after the confirmation.
    func unconfirmed() -> Account {
        var account = self
        account.passwordHash = Self.lock + passwordHash
        return account
    }

    /// Makes the password work, or removes it.
    mutating func confirmPassword(keeping isKept: Bool) {
        passwordHash = isKept ? String(passwordHash.dropFirst(Self.lock.count)) : ""
    }

    /// Identifies the password, and so the sign-up or the change that has set it: a hash of the password's hash (BLAKE2b, 128 bits), in hexadecimal digits.
    var passwordDigest: String { blake2b(Array(passwordHash.utf8), size: 16).hexadecimalDigits }
}
