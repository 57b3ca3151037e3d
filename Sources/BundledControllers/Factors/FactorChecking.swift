public import BusinessLogic

/// Completes logins with passkeys, one-time codes and recovery codes.
public protocol FactorChecking: Sendable {
    /// With what a login can be completed; `nil` if it cannot be any more, because its user has another password now.
    ///
    /// - Throws: if that cannot be read now.
    func factors(for login: PendingLogin) async throws -> LoginFactors?

    /// A challenge for a passkey, with the options for the client.
    ///
    /// - Parameters:
    ///   - login: the login that the passkey completes; `nil` for one without a password, with any passkey.
    ///   - client: the client that logs in.
    /// - Returns: `nil` if there can be no passkeys.
    /// - Throws: if that cannot be read now.
    func passkeyRequest(for login: PendingLogin?, _ client: ClientContext) async throws -> PasskeyRequest?

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
}

/// With what a login can be completed.
public struct LoginFactors: Codable, Equatable, Sendable {
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
}

extension LoginFactors: ObjectValue {
    public static let object = ObjectSchema(
        LoginFactors.init(passkey:authenticatorApp:recoveryCodes:),
        Member("passkey", \.passkey),
        Member("authenticatorApp", \.authenticatorApp),
        Member("recoveryCodes", \.recoveryCodes)
    )
}

/// A challenge for a passkey, with the options for the client.
public struct PasskeyRequest: Codable, Equatable, Sendable {
    /// The challenge in base64url, which the session keeps.
    public let challenge: String
    /// The options that `PublicKeyCredential.parseCreationOptionsFromJSON()` or `parseRequestOptionsFromJSON()` reads (WebAuthn section 5.1.8).
    public let options: Value

    /// Creates a challenge with its options.
    public init(challenge: String, options: Value) {
        self.challenge = challenge
        self.options = options
    }
}
