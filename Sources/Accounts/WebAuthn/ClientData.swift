internal import BusinessLogic

/// What the client says about a ceremony (WebAuthn section 5.8.1).
struct ClientData {
    enum Kind: String {
        case creation = "webauthn.create"
        case request = "webauthn.get"
    }

    private let content: Value.Object

    /// - Throws: ``WebAuthnError/malformedResponse``.
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
