public import BusinessLogic

/// A user's account: its names, its password hash and the data that the user has registered.
public struct Account: Equatable, Sendable {
    /// The permanent identifier.
    public let id: AccountID
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
    public let created: Timestamp
    /// Whether the account is disabled, so that all logins fail.
    public var isDisabled: Bool

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
        factors: Factors = Factors()
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.emailConfirmed = emailConfirmed
        self.username = username ?? email
        self.userID = userID
        self.contactEmail = contactEmail
        self.passwordHash = passwordHash
        self.created = created
        self.isDisabled = isDisabled
        self.factors = factors
    }

    /// The account after a change. Its ``id`` and ``created`` stay, even if the change replaces the whole account.
    package func changed(by change: (inout Account) throws -> Void) rethrows -> Account {
        var changed = self
        try change(&changed)
        return Account(
            id: id,
            name: changed.name,
            email: changed.email,
            username: changed.username,
            userID: changed.userID,
            contactEmail: changed.contactEmail,
            passwordHash: changed.passwordHash,
            created: created,
            isDisabled: changed.isDisabled,
            emailConfirmed: changed.emailConfirmed,
            factors: changed.factors
        )
    }
}
