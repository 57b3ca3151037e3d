public import BusinessLogic

/// Completes logins with passkeys, one-time codes and recovery codes, and changes these factors of logged-in users.
public protocol FactorManaging: Sendable {
    // MARK: Logging in

    /// With what a login can be completed; `nil` if it cannot be any more, because its user has another password now.
    ///
    /// - Throws: if that cannot be read now.
    func factors(for login: PendingLogin) async throws -> LoginFactors?

    /// The options with which the client asks for a passkey: what `PublicKeyCredential.parseRequestOptionsFromJSON()` reads (WebAuthn section
    /// 5.1.8). Their member `challenge` is a new challenge.
    ///
    /// - Parameters:
    ///   - login: the login that the passkey completes; `nil` for one without a password, with any passkey.
    ///   - client: the client that logs in.
    /// - Returns: `nil` if there can be no passkeys.
    /// - Throws: if that cannot be read now.
    func passkeyRequest(for login: PendingLogin?, _ client: ClientContext) async throws -> Value?

    /// The user whose passkey has signed the challenge; `nil` if the login fails.
    ///
    /// - Parameters:
    ///   - response: the client's response, as JSON.
    ///   - challenge: the challenge of ``passkeyRequest(for:_:)``, which must not be used again.
    ///   - login: the login that the passkey completes; `nil` for one without a password: the passkey must have verified its user then.
    ///   - client: the client that logs in.
    /// - Throws: if it cannot be checked now.
    func user(
        withPasskey response: String,
        challenge: String,
        for login: PendingLogin?,
        _ client: ClientContext
    ) async throws -> User?

    /// The user of a login with a one-time code or a recovery code; `nil` if the code is wrong, was used, or cannot be checked for now because of
    /// wrong codes before.
    ///
    /// - Throws: if it cannot be checked now.
    func user(withCode code: String, for login: PendingLogin, _ client: ClientContext) async throws -> User?

    // MARK: Changing the factors

    /// The factors of the client's account; `nil` if no user with an account is logged in.
    ///
    /// - Throws: if they cannot be read now.
    func factors(of client: ClientContext) async throws -> AccountFactors?

    /// The options with which the client creates a passkey: what `PublicKeyCredential.parseCreationOptionsFromJSON()` reads (WebAuthn section
    /// 5.1.8). Their member `challenge` is a new challenge.
    ///
    /// - Returns: `nil` if there can be no passkeys.
    /// - Throws: if that cannot be read now.
    func passkeyCreation(for client: ClientContext) async throws -> Value?

    /// The secret of a new authenticator app; `nil` if no user with an account is logged in.
    ///
    /// - Throws: if the account cannot be read now.
    func newAuthenticatorApp(for client: ClientContext) async throws -> NewAuthenticatorApp?

    /// Changes the factors of the client's account, and informs the owner.
    ///
    /// - Returns: `nil` if that is not possible, as ``FactorAction`` says.
    /// - Throws: if they cannot be changed now.
    func perform(_ action: FactorAction, for client: ClientContext) async throws -> FactorChange?

    /// Ends all sessions of the client's account except the client's own.
    ///
    /// - Throws: if they cannot be ended now.
    func endOtherSessions(for client: ClientContext) async throws
}

/// How a user changes their factors. None can be added while ``AccountFactors/needsConfirmation`` is true.
public enum FactorAction: Sendable {
    /// Adds the passkey that the client has created, which has signed the challenge of ``FactorManaging/passkeyCreation(for:)``. The challenge must
    /// not be used again. The name, by which the user distinguishes the passkey, may be empty.
    ///
    /// It is not possible if the response, which is JSON, is not valid, if an account has the passkey already, or if the account has too many.
    case addPasskey(response: String, name: String, challenge: String)
    /// Adds an authenticator app with a ``NewAuthenticatorApp/secret`` in place of the one before. It is not possible if the code is wrong.
    case addAuthenticatorApp(secret: String, code: String)
    /// Creates ten recovery codes in place of those before. It is not possible if the account has no other factor.
    case createRecoveryCodes
    /// Removes a passkey by its ``AccountPasskeyDetails/id``. The recovery codes end with the last other factor. It is not possible if the account
    /// has no such passkey.
    case removePasskey(id: String)
    /// Removes the authenticator app. The recovery codes end with the last other factor. It is not possible if the account has none.
    case removeAuthenticatorApp
}

/// The factors of an account, as its user sees them.
public struct AccountFactors: Codable, Equatable, Sendable {
    /// The passkeys, the oldest first.
    public let passkeys: [AccountPasskeyDetails]
    /// The authenticator app; `nil` without one.
    public let authenticatorApp: AuthenticatorAppDetails?
    /// The number of recovery codes that were not used.
    public let recoveryCodes: Int
    /// Whether the address of the account must be confirmed before a factor is added. Otherwise, a person who has signed up with the address of
    /// another one could add a factor that stays when its owner resets the password.
    public let needsConfirmation: Bool

    /// Creates a description of factors.
    public init(
        passkeys: [AccountPasskeyDetails] = [],
        authenticatorApp: AuthenticatorAppDetails? = nil,
        recoveryCodes: Int = 0,
        needsConfirmation: Bool = false
    ) {
        self.passkeys = passkeys
        self.authenticatorApp = authenticatorApp
        self.recoveryCodes = recoveryCodes
        self.needsConfirmation = needsConfirmation
    }
}

/// A passkey of an account, as its user sees it.
public struct AccountPasskeyDetails: Codable, Equatable, Sendable, ObjectValue {
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

    /// The members, as outputs show them.
    public static let object = ObjectSchema<AccountPasskeyDetails>(
        showing: Member("id", \.id),
        Member("name", \.name),
        Member("created", \.created),
        Member("lastUsed", \.lastUsed)
    )
}

/// The authenticator app of an account, as its user sees it.
public struct AuthenticatorAppDetails: Codable, Equatable, Sendable, ObjectValue {
    /// When it was added.
    public let created: Timestamp
    /// When the user has last logged in with a code of it; `nil` if that has not happened.
    public let lastUsed: Timestamp?

    /// Creates a description of an app.
    public init(created: Timestamp, lastUsed: Timestamp?) {
        self.created = created
        self.lastUsed = lastUsed
    }

    /// The members, as outputs show them.
    public static let object = ObjectSchema<AuthenticatorAppDetails>(
        showing: Member("created", \.created),
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

/// With what a login can be completed.
public struct LoginFactors: Codable, Equatable, Sendable, ObjectValue {
    /// Whether the user has a passkey.
    public let passkey: Bool
    /// Whether the user has an authenticator app.
    public let authenticatorApp: Bool
    /// Whether the user has recovery codes.
    public let recoveryCodes: Bool

    /// Creates a description.
    public init(passkey: Bool, authenticatorApp: Bool, recoveryCodes: Bool) {
        self.passkey = passkey
        self.authenticatorApp = authenticatorApp
        self.recoveryCodes = recoveryCodes
    }

    /// The members, as outputs show them.
    public static let object = ObjectSchema<LoginFactors>(
        showing: Member("passkey", \.passkey),
        Member("authenticatorApp", \.authenticatorApp),
        Member("recoveryCodes", \.recoveryCodes)
    )
}

/// A login whose password was right, and that a second factor must complete.
public struct PendingLogin: Codable, Equatable, Sendable {
    /// The user who is not logged in yet.
    public let user: User
    /// Identifies the password that was verified, so that the login ends if the password is changed.
    public let proof: String
    /// When the password must be entered again.
    public let expires: Timestamp

    /// How long a login can wait for the second factor.
    static let lifetime = Duration.seconds(600)
}
