public import BusinessLogic

/// Adds and removes the factors of logged-in users.
public protocol FactorManaging: Sendable {
    /// The factors of the client's account; `nil` if no user with an account is logged in.
    ///
    /// - Throws: if they cannot be read now.
    func factors(of client: ClientContext) async throws -> AccountFactors?

    /// A challenge with which the client creates a passkey.
    ///
    /// - Returns: `nil` if there can be no passkeys.
    /// - Throws: if that cannot be read now.
    func passkeyCreation(for client: ClientContext) async throws -> PasskeyRequest?

    /// Adds the passkey that the client has created, and informs the owner.
    ///
    /// - Parameters:
    ///   - response: the client's response, as JSON.
    ///   - name: the name by which the user distinguishes it; may be empty.
    ///   - challenge: the challenge of ``passkeyCreation(for:)``, which must not be used again.
    ///   - client: the client.
    /// - Returns: `nil` if the response is not valid, an account has the passkey already, or the account has too many.
    /// - Throws: if it cannot be added now.
    func addPasskey(
        _ response: String,
        named name: String,
        challenge: String,
        for client: ClientContext
    ) async throws -> FactorChange?

    /// The secret of a new authenticator app; `nil` if no user with an account is logged in.
    ///
    /// - Throws: if the account cannot be read now.
    func newAuthenticatorApp(for client: ClientContext) async throws -> NewAuthenticatorApp?

    /// Adds an authenticator app in place of the one before, and informs the owner.
    ///
    /// - Parameters:
    ///   - secret: the ``NewAuthenticatorApp/secret``.
    ///   - code: a code of the app.
    ///   - client: the client.
    /// - Returns: `nil` if the code is wrong.
    /// - Throws: if it cannot be added now.
    func addAuthenticatorApp(secret: String, code: String, for client: ClientContext) async throws -> FactorChange?

    /// Creates ten recovery codes in place of those before, and informs the owner.
    ///
    /// - Returns: `nil` if the account has no other factor.
    /// - Throws: if they cannot be created now.
    func newRecoveryCodes(for client: ClientContext) async throws -> FactorChange?

    /// Removes a passkey, and informs the owner. The recovery codes end with the last other factor.
    ///
    /// - Parameters:
    ///   - id: its ``AccountPasskeyDetails/id``.
    ///   - client: the client.
    /// - Returns: `nil` if the account has no such passkey.
    /// - Throws: if it cannot be removed now.
    func removePasskey(_ id: String, for client: ClientContext) async throws -> FactorChange?

    /// Removes the authenticator app, and informs the owner. The recovery codes end with the last other factor.
    ///
    /// - Returns: `nil` if the account has none.
    /// - Throws: if it cannot be removed now.
    func removeAuthenticatorApp(for client: ClientContext) async throws -> FactorChange?

    /// Ends all sessions of the client's account except the client's own.
    ///
    /// - Throws: if they cannot be ended now.
    func endOtherSessions(for client: ClientContext) async throws
}

/// The factors of an account, as its user sees them.
public struct AccountFactors: Codable, Equatable, Sendable {
    /// The passkeys, the oldest first.
    public let passkeys: [AccountPasskeyDetails]
    /// The authenticator app; `nil` without one.
    public let authenticatorApp: AuthenticatorAppDetails?
    /// The number of recovery codes that were not used.
    public let recoveryCodes: Int

    /// Creates a description of factors.
    public init(
        passkeys: [AccountPasskeyDetails] = [],
        authenticatorApp: AuthenticatorAppDetails? = nil,
        recoveryCodes: Int = 0
    ) {
        self.passkeys = passkeys
        self.authenticatorApp = authenticatorApp
        self.recoveryCodes = recoveryCodes
    }
}

/// A passkey of an account, as its user sees it.
public struct AccountPasskeyDetails: Codable, Equatable, Sendable {
    /// Identifies the passkey among those of the account.
    public let id: String
    /// The name that the user has given it; may be empty.
    public let name: String
    /// When it was added.
    public let created: Timestamp
    /// When the user has last logged in with it; `nil` if that has not happened.
    public let lastUsed: Timestamp?

    /// Creates a description of a passkey.
    public init(id: String, name: String, created: Timestamp, lastUsed: Timestamp?) {
        self.id = id
        self.name = name
        self.created = created
        self.lastUsed = lastUsed
    }
}

/// The authenticator app of an account, as its user sees it.
public struct AuthenticatorAppDetails: Codable, Equatable, Sendable {
    /// When it was added.
    public let created: Timestamp
    /// When the user has last logged in with a code of it; `nil` if that has not happened.
    public let lastUsed: Timestamp?

    /// Creates a description of an app.
    public init(created: Timestamp, lastUsed: Timestamp?) {
        self.created = created
        self.lastUsed = lastUsed
    }
}

extension AccountPasskeyDetails: ObjectValue {
    public static let object = ObjectSchema(
        AccountPasskeyDetails.init(id:name:created:lastUsed:),
        Member("id", \.id),
        Member("name", \.name),
        Member("created", \.created),
        Member("lastUsed", \.lastUsed)
    )
}

extension AuthenticatorAppDetails: ObjectValue {
    public static let object = ObjectSchema(
        AuthenticatorAppDetails.init(created:lastUsed:),
        Member("created", \.created),
        Member("lastUsed", \.lastUsed)
    )
}

/// The factors of an account after a change.
public struct FactorChange: Codable, Equatable, Sendable {
    /// The factors.
    public let factors: AccountFactors
    /// The recovery codes, if the change has created them. Only their hashes are stored.
    public let recoveryCodes: [String]

    /// Creates the result of a change.
    public init(factors: AccountFactors, recoveryCodes: [String] = []) {
        self.factors = factors
        self.recoveryCodes = recoveryCodes
    }
}

/// The secret of a new authenticator app, as its user sees it once.
public struct NewAuthenticatorApp: Codable, Equatable, Sendable {
    /// The secret for the server, which the session keeps.
    public let secret: String
    /// The secret for a person who types it into the app.
    public let text: String
    /// The address that opens the app on the same device.
    public let address: String
    /// The same address as a QR code: the address of an SVG picture, which contains it (`data:`).
    public let qrCode: String

    /// Creates a secret.
    public init(secret: String, text: String, address: String, qrCode: String) {
        self.secret = secret
        self.text = text
        self.address = address
        self.qrCode = qrCode
    }
}
