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
            "user": [
                "id": .string(handle.base64URL), "name": .string(name), "displayName": .string(displayName),
            ],
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
}
