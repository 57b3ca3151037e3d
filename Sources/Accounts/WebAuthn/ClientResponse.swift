internal import BusinessLogic

/// The members that the responses of both ceremonies have (WebAuthn section 5.1.8).
struct ClientResponse {
    /// The maximum size of each member in bytes. An RSA key has a few hundred.
    private static let maximumSize = 16 << 10

    let id: [UInt8]
    let clientDataJSON: [UInt8]
    let authenticatorData: [UInt8]
    private let response: Value

    /// - Parameter json: what `PublicKeyCredential.toJSON()` returns.
    /// - Throws: ``WebAuthnError/malformedResponse``.
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
