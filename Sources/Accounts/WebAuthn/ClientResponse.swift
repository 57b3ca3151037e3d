import BusinessLogic

/// The members that the responses of both ceremonies have (WebAuthn section 5.1.8).
struct ClientResponse {
    /// The maximum size of each member in bytes. An RSA key has a few hundred.
    private static let maximumSize = 16 << 10

    let id: [UInt8]
    let clientDataJSON: [UInt8]
    let authenticatorData: [UInt8]
    private let response: Value

    /// - Parameter json: what `PublicKeyCredential.toJSON()` returns.
    init(json: Value) throws(WebAuthnError) {
        guard json["type"]?.string == "public-key", json["id"] == json["rawId"], let response = json["response"] else {
            throw .malformedResponse
        }
        self.response = response
        id = try Self.bytes(json["id"])
        clientDataJSON = try Self.bytes(response["clientDataJSON"])
        authenticatorData = try Self.bytes(response["authenticatorData"])
    }

    /// A further member; `nil` if it is absent or null.
    func bytes(_ name: String) throws(WebAuthnError) -> [UInt8]? {
        guard let value = response[name], value != .null else { return nil }
        return try Self.bytes(value)
    }

    private static func bytes(_ value: Value?) throws(WebAuthnError) -> [UInt8] {
        guard let text = value?.string, text.utf8.count <= maximumSize * 4 / 3, let bytes = [UInt8](base64URL: text)
        else { throw .malformedResponse }
        return bytes
    }
}

/// What the client says about a ceremony (WebAuthn section 5.8.1).
struct ClientData {
    enum Kind: String {
        case creation = "webauthn.create"
        case request = "webauthn.get"
    }

    private let content: Value.Object

    init(json: [UInt8]) throws(WebAuthnError) {
        guard let content = try? JSONReader.read(json).object else { throw .malformedResponse }
        self.content = content
    }

    /// Checks that it belongs to a ceremony of a relying party.
    func check(_ kind: Kind, challenge: [UInt8], _ party: RelyingParty) throws(WebAuthnError) {
        guard has("type", oneOf: [kind.rawValue]) else { throw .wrongType }
        // An empty challenge would be one that the server has forgotten.
        guard !challenge.isEmpty, has("challenge", oneOf: [challenge.base64URL]) else { throw .wrongChallenge }
        guard has("origin", oneOf: party.origins) else { throw .wrongOrigin }
        guard content["crossOrigin"] ?? false == false, content["topOrigin"] == nil else { throw .wrongTopOrigin }
    }

    /// Whether a member is one of the texts, byte by byte: for `==`, the Kelvin sign is a `K`.
    private func has(_ name: String, oneOf texts: some Sequence<String>) -> Bool {
        content[name]?.string.map { text in texts.contains { $0.hasSameBytes(as: text) } } ?? false
    }
}

/// What the authenticator says about a ceremony (WebAuthn section 6.1), without the passkey and extensions, which libfido2 reads.
struct AuthenticatorData {
    /// The number of bytes before the passkey and the extensions.
    private static let headerSize = 37

    let bytes: [UInt8]
    /// The number of signatures that the authenticator has counted.
    let counter: UInt32

    init(_ bytes: [UInt8]) throws(WebAuthnError) {
        guard bytes.count >= Self.headerSize else { throw .malformedAuthenticatorData }
        self.bytes = bytes
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        let isLonger = bytes.count > Self.headerSize
        guard isLonger == (hasPasskey || has(7)) else { throw .malformedAuthenticatorData }
    }

    var isUserVerified: Bool { has(2) }
    var isBackupEligible: Bool { has(3) }
    var isBackedUp: Bool { has(4) }
    var hasPasskey: Bool { has(6) }

    /// Whether a flag is set. That of the lowest bit is whether a person is present, and that of the highest whether there are extensions.
    private func has(_ flag: Int) -> Bool { bytes[32] >> flag & 1 == 1 }

    /// Checks what both ceremonies require.
    func check(_ party: RelyingParty) throws(WebAuthnError) {
        guard bytes.prefix(32).elementsEqual(sha256(Array(party.id.utf8))) else { throw .wrongRelyingParty }
        guard has(0) else { throw .userNotPresent }
        guard isBackupEligible || !isBackedUp else { throw .invalidBackupState }
    }
}
