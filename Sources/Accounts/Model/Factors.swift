public import BusinessLogic

/// What a user has besides the password to log in: passkeys, an app for one-time codes, and recovery codes.
///
/// An account with a passkey or an app needs it in addition to the password. Recovery codes alone are no factor.
public struct Factors: Codable, Equatable, Sendable {
    /// The passkeys, the oldest first.
    public var passkeys: [AccountPasskey] = []
    /// The app for one-time codes; `nil` without one.
    public var authenticatorApp: AuthenticatorApp?
    /// The recovery codes that were not used, with the first characters by which one is found.
    public var recoveryCodes: [RecoveryCode] = []

    /// `true` if the store's data are damaged. Then no login is complete until an operator removes the factors, because the account may have some.
    package var areDamaged: Bool?

    package static var damaged: Factors {
        var factors = Factors()
        factors.areDamaged = true
        return factors
    }

    /// The maximum number of passkeys of an account.
    public static let maximumPasskeys = 20

    /// No factors.
    public init() {}

    /// Whether a password alone is enough for a login.
    public var isEmpty: Bool { passkeys.isEmpty && authenticatorApp == nil && areDamaged != true }
}

/// A passkey of an account.
public struct AccountPasskey: Codable, Equatable, Sendable {
    /// What the server checks signatures with.
    public var passkey: Passkey
    /// The name by which the user distinguishes it from others.
    public var name: String
    /// When it was added.
    public let created: Timestamp
    /// When the user has last logged in with it; `nil` if that has not happened.
    public var lastUsed: Timestamp?

    /// The maximum number of characters of ``name``.
    public static let maximumName = 64

    /// Creates a passkey of an account.
    public init(_ passkey: Passkey, name: String, created: Timestamp, lastUsed: Timestamp? = nil) {
        (self.passkey, self.name, self.created, self.lastUsed) = (passkey, name, created, lastUsed)
    }
}

/// An app that computes one-time codes for an account.
public struct AuthenticatorApp: Codable, Equatable, Sendable {
    /// The secret that the app and the server share, in base64url. Who knows it can compute the codes.
    public let secret: String
    /// When the app was added.
    public let created: Timestamp
    /// When the user has last logged in with one of its codes; `nil` if that has not happened.
    public var lastUsed: Timestamp?
    /// The number of the step of the last code that was accepted, so that each works once.
    public var lastStep: Int

    /// Creates an app.
    public init(secret: String, created: Timestamp, lastUsed: Timestamp? = nil, lastStep: Int) {
        (self.secret, self.created, self.lastUsed, self.lastStep) = (secret, created, lastUsed, lastStep)
    }
}

/// A recovery code, as a store keeps it.
public struct RecoveryCode: Codable, Equatable, Sendable {
    /// The first two characters of the code. No two codes of an account have the same, so that one hash is verified for an attempt.
    public let prefix: String
    /// The hash of the whole code (Argon2id).
    public let hash: String

    /// Creates a recovery code that was stored.
    public init(prefix: String, hash: String) {
        self.prefix = prefix
        self.hash = hash
    }
}

extension Passkey {
    /// The hash of its ID (BLAKE2b, 256 bits), by which stores ensure that no two accounts have the same passkey.
    var key: [UInt8] { blake2b(id, size: 32) }
}

extension Account {
    package var passkeyKeys: [[UInt8]] { factors.passkeys.map(\.passkey.key) }
}
