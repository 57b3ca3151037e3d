public import BusinessLogic

/// A web site or an app for which people have passkeys (Web Authentication Level 3, in the following WebAuthn, section 4).
public struct RelyingParty: Sendable {
    /// The domain to which passkeys are bound, such as `shop.example`. It is that of the site, or one above it.
    public let id: String
    /// The name that browsers show.
    public let name: String
    /// The origins of the pages that may use passkeys, such as `https://shop.example`.
    public let origins: Set<String>

    /// Creates a relying party.
    public init(id: String, name: String, origins: Set<String>) {
        self.id = id
        self.name = name
        self.origins = origins
    }

    /// A new challenge: 32 random bytes (WebAuthn section 13.4.3). Keep it in the session that asked for it, and remove it when a response arrives,
    /// whether that is accepted or not.
    public static func challenge() -> [UInt8] { randomBytes(32) }

    // MARK: Options for clients

    /// The options with which a client creates a passkey, as `PublicKeyCredential.parseCreationOptionsFromJSON()` reads them
    /// (WebAuthn section 5.1.8).
    ///
    /// - Parameters:
    ///   - challenge: see ``challenge()``.
    ///   - handle: what a passkey of the account returns at a login: 1 to 64 bytes, random for each account, and nothing that says who it is
    ///     (WebAuthn section 14.6.1).
    ///   - name: the name by which the person distinguishes their accounts, such as an address.
    ///   - displayName: the person's name.
    ///   - existing: the IDs of the account's passkeys, so that an authenticator makes no second one.
    public func creationOptions(
        challenge: [UInt8],
        handle: [UInt8],
        name: String,
        displayName: String,
        excluding existing: [[UInt8]] = []
    ) -> Value {
        [
            "rp": ["id": .string(id), "name": .string(self.name)],
            "user": ["id": .string(handle.base64URL), "name": .string(name), "displayName": .string(displayName)],
            "challenge": .string(challenge.base64URL),
            "pubKeyCredParams": .array(
                Passkey.Algorithm.allCases.map { ["type": "public-key", "alg": Value($0.rawValue)] }
            ),
            "excludeCredentials": .array(existing.map(Self.descriptor)),
            "authenticatorSelection": [
                "residentKey": "required", "requireResidentKey": true, "userVerification": "preferred",
            ],
            "attestation": "none",
        ]
    }

    /// The options with which a client logs in with a passkey, as `PublicKeyCredential.parseRequestOptionsFromJSON()` reads them
    /// (WebAuthn section 5.1.8).
    ///
    /// - Parameters:
    ///   - challenge: see ``challenge()``.
    ///   - allowed: the IDs of an account's passkeys; empty for any passkey of the relying party, so that the person need not enter a name.
    ///   - requiresUserVerification: whether the authenticator must verify the person. The server must check it as well.
    public func requestOptions(
        challenge: [UInt8],
        allowing allowed: [[UInt8]] = [],
        requiresUserVerification: Bool = false
    ) -> Value {
        [
            "challenge": .string(challenge.base64URL), "rpId": .string(id),
            "allowCredentials": .array(allowed.map(Self.descriptor)),
            "userVerification": requiresUserVerification ? "required" : "preferred",
        ]
    }

    private static func descriptor(_ id: [UInt8]) -> Value { ["type": "public-key", "id": .string(id.base64URL)] }

    /// The passkey that a client has created (WebAuthn section 7.1).
    ///
    /// Before you store it, check that no account has a passkey with its ID (step 26). What authenticators say about their make is not asked for,
    /// and ignored.
    ///
    /// - Parameters:
    ///   - response: what `PublicKeyCredential.toJSON()` returns.
    ///   - challenge: the challenge that the session has kept for it. It must not be used again.
    /// - Throws: ``WebAuthnError``.
    public func passkey(from response: Value, challenge: [UInt8]) throws(WebAuthnError) -> Passkey {
        let response = try ClientResponse(json: response)
        try ClientData(json: response.clientDataJSON).check(.creation, challenge: challenge, self)
        let data = try AuthenticatorData(response.authenticatorData)
        try data.check(self)
        guard data.hasPasskey else { throw .malformedAuthenticatorData }
        let (algorithm, id, publicKey) = try Fido2.passkey(in: data.bytes)
        guard (1...1023).contains(id.count), id == response.id else { throw .invalidCredentialID }
        return Passkey(
            id: id,
            algorithm: algorithm,
            publicKey: publicKey,
            isBackupEligible: data.isBackupEligible,
            counter: data.counter,
            isBackedUp: data.isBackedUp
        )
    }

    /// The ID of the passkey that a client has used, by which a server finds the passkey.
    ///
    /// - Parameter response: what `PublicKeyCredential.toJSON()` returns.
    /// - Throws: ``WebAuthnError/malformedResponse``.
    public static func passkeyID(in response: Value) throws(WebAuthnError) -> [UInt8] {
        try ClientResponse(json: response).id
    }

    /// The handle of the account that the client's passkey belongs to, by which a server finds the account; `nil` if the response contains none.
    ///
    /// - Parameter response: what `PublicKeyCredential.toJSON()` returns.
    /// - Throws: ``WebAuthnError/malformedResponse``.
    public static func userHandle(in response: Value) throws(WebAuthnError) -> [UInt8]? {
        try ClientResponse(json: response).bytes("userHandle")
    }

    /// The login with a passkey (WebAuthn section 7.2).
    ///
    /// - Parameters:
    ///   - response: what `PublicKeyCredential.toJSON()` returns.
    ///   - passkey: the passkey with the ID that the response contains.
    ///   - handle: the handle of the account to which the passkey belongs.
    ///   - challenge: the challenge that the session has kept for it. It must not be used again.
    ///   - isSecondFactor: whether the person has entered a user name and a password before. Otherwise, the response must contain the handle,
    ///     and the authenticator must have verified the person.
    /// - Returns: the passkey as it must be stored now, and whether its counter has not grown: the passkey may have been copied (WebAuthn
    ///   section 6.1.1). The login is valid; report it.
    /// - Throws: ``WebAuthnError``.
    public func login(
        with response: Value,
        of passkey: Passkey,
        handle: [UInt8],
        challenge: [UInt8],
        isSecondFactor: Bool
    ) throws(WebAuthnError) -> (passkey: Passkey, mayBeCloned: Bool) {
        let response = try ClientResponse(json: response)
        guard response.id == passkey.id else { throw .invalidCredentialID }
        let sentHandle = try response.bytes("userHandle")
        guard sentHandle == handle || isSecondFactor && sentHandle == nil else { throw .wrongUser }
        guard let signature = try response.bytes("signature") else { throw .malformedResponse }
        try ClientData(json: response.clientDataJSON).check(.request, challenge: challenge, self)
        let data = try AuthenticatorData(response.authenticatorData)
        try data.check(self)
        guard data.isUserVerified || isSecondFactor else { throw .userNotVerified }
        guard data.isBackupEligible == passkey.isBackupEligible else { throw .changedBackupEligibility }
        guard Fido2.isSigned(data.bytes, response.clientDataJSON, signature, by: passkey, of: id) else {
            throw .wrongSignature
        }
        let mayBeCloned = (data.counter > 0 || passkey.counter > 0) && data.counter <= passkey.counter
        var used = passkey
        used.counter = max(passkey.counter, data.counter)
        used.isBackedUp = data.isBackedUp
        return (used, mayBeCloned)
    }
}
