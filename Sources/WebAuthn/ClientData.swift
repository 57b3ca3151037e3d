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
        guard content["type"]?.string == kind.rawValue else { throw .wrongType }
        // An empty challenge would be one that the server has forgotten.
        guard !challenge.isEmpty, content["challenge"]?.string == challenge.base64URL else { throw .wrongChallenge }
        guard let origin = content["origin"]?.string, party.origins.contains(origin) else { throw .wrongOrigin }
        switch (content["crossOrigin"] ?? false, content["topOrigin"]) {
        case (false, nil): break
        case (true, let topOrigin):
            guard let topOrigin = topOrigin?.string, party.topOrigins.contains(topOrigin) else { throw .wrongTopOrigin }
        default: throw .wrongTopOrigin
        }
    }
}
