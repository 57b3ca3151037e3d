public import BusinessLogic

/// A user's account: its names, its password hash and the data that the user has registered.
public struct Account: Equatable, Sendable {
    /// The permanent identifier.
    public private(set) var id: AccountID
    /// The user's display name.
    public var name: String
    /// The email address with which the user signed up. It is unique by ``AccountKey``.
    public var email: String
    /// When the user proved that the email address is theirs; `nil` if they have not.
    public var emailConfirmed: Timestamp?
    /// The name with which the user logs in. It is unique by ``AccountKey``.
    public var username: String
    /// The user ID that the user has registered: twelve digits. It is unique.
    public var userID: String?
    /// The address at which the user wants to be contacted, if it differs from ``email``.
    public var contactEmail: String?
    /// The hash of the password, as a PHC string (`$argon2id$…`).
    public var passwordHash: String
    /// What the user has besides the password to log in.
    public var factors: Factors
    /// When the account was created.
    public private(set) var created: Timestamp
    /// Whether the account is disabled, so that all logins fail.
    public var isDisabled: Bool
    /// What an operator has noted for support; `nil` for nothing. No page shows it.
    public var note: String?
    /// What the user may do besides what all users may, in order; pages read them as ``/BusinessLogic/Identity/roles``.
    public var roles: [String]
    /// Whether the store's data about roles are damaged. Then the account has none until an operator sets them.
    package var rolesAreDamaged = false
    /// The key of the username in the store, if it is damaged. The next change of the account repairs it.
    package var damagedKey: [UInt8]?

    /// An account. Its username is the email address unless you give one.
    public init(
        id: AccountID = .random(),
        name: String,
        email: String,
        username: String? = nil,
        userID: String? = nil,
        contactEmail: String? = nil,
        passwordHash: String,
        created: Timestamp,
        isDisabled: Bool = false,
        emailConfirmed: Timestamp? = nil,
        factors: Factors = Factors(),
        note: String? = nil,
        roles: [String] = []
    ) {
        (self.id, self.name, self.email, self.emailConfirmed) = (id, name, email, emailConfirmed)
        self.username = username ?? email
        (self.userID, self.contactEmail, self.passwordHash) = (userID, contactEmail, passwordHash)
        (self.created, self.isDisabled, self.factors, self.note) = (created, isDisabled, factors, note)
        self.roles = roles
    }

    /// The account after a change. Its ``id`` and ``created`` stay, even if the change replaces the whole account.
    package func changed(by change: (inout Account) throws -> Void) rethrows -> Account {
        var changed = self
        try change(&changed)
        changed.id = id
        changed.created = created
        changed.damagedKey = nil
        return changed
    }

    /// The ``AccountKey`` of the username as it is in the store, in UTF-8. Lists of accounts are in its order.
    public var usernameKey: [UInt8] { damagedKey ?? AccountKey(username).bytes }

    var user: User { User(username: username, id: id.text, roles: roles) }
}

/// What operators see of an account: neither its password nor its factors.
extension Account: ObjectValue {
    public static let object = ObjectSchema<Account>(
        showing: Member("id", \.id.text),
        Member("username", \.username),
        Member("name", \.name),
        Member("email", \.email),
        Member("emailConfirmed", \.emailConfirmed),
        Member("contactEmail", \.contactEmail),
        Member("userID", \.userID),
        Member("created", \.created),
        Member("disabled", \.isDisabled),
        Member("roles", \.roles),
        // Not null without a note, because that would leave the former one in the control of a browser.
        Member("note") { $0.note ?? "" }
    )

    /// The same as texts for a person; those that are `nil` are not shown.
    package var properties: [(name: String, text: String?)] {
        let roles =
            rolesAreDamaged ? "the stored roles cannot be read: add or remove roles" : roles.joined(separator: ", ")
        return [
            ("username", username), ("name", name), ("email", email), ("confirmed", emailConfirmed?.brief),
            ("contact email", contactEmail), ("user ID", userID), ("id", id.text), ("created", created.brief),
            ("roles", roles.isEmpty ? nil : roles), ("note", note),
        ]
    }
}

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
