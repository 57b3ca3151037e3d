import BusinessLogic
public import Foundation

/// The field `passkey` of the events `passkeyChosen` and `passkeyCreated`, as a browser writes it (WebAuthn level 3, section 5.1.8).
public enum PasskeyResponse {
    /// What a passkey has signed.
    ///
    /// - Parameters:
    ///   - id: the ID of the passkey.
    ///   - clientDataJSON: the client data, as they were signed.
    ///   - authenticatorData: the authenticator data, as they were signed.
    ///   - signature: the signature.
    ///   - user: the handle of the account; `nil` if the authenticator has returned none.
    public static func login(
        id: Data,
        clientDataJSON: Data,
        authenticatorData: Data,
        signature: Data,
        user: Data?
    ) -> String {
        var content: Value.Object = [
            "clientDataJSON": .string(clientDataJSON.base64URL),
            "authenticatorData": .string(authenticatorData.base64URL), "signature": .string(signature.base64URL),
        ]
        content["userHandle"] = user.map { .string($0.base64URL) }
        return text(id, content)
    }

    /// A passkey that was created.
    ///
    /// - Parameters:
    ///   - id: the ID of the passkey.
    ///   - clientDataJSON: the client data.
    ///   - attestationObject: the authenticator data in CBOR, with the attestation `none`.
    /// - Returns: `nil` if the attestation object is something else.
    public static func registration(id: Data, clientDataJSON: Data, attestationObject: Data) -> String? {
        guard let data = authenticatorData(in: attestationObject) else { return nil }
        return text(
            id,
            ["clientDataJSON": .string(clientDataJSON.base64URL), "authenticatorData": .string(data.base64URL)]
        )
    }

    private static func text(_ id: Data, _ content: Value.Object) -> String {
        let id = Value.string(id.base64URL)
        let response: Value = ["type": "public-key", "id": id, "rawId": id, "response": .object(content)]
        return "\(response)"
    }

    /// The authenticator data in an attestation object without a statement: a map of `fmt`, `attStmt` and `authData` in the order of CTAP2
    /// (WebAuthn section 6.5.4).
    private static func authenticatorData(in object: Data) -> Data? {
        let head: [UInt8] = [0xA3, 0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8)
        let beginning = head + [0x67] + Array("attStmt".utf8) + [0xA0, 0x68] + Array("authData".utf8)
        guard object.starts(with: beginning) else { return nil }
        var rest = object.dropFirst(beginning.count)
        // The head of a byte string, with a length of one or two bytes.
        guard let head = rest.popFirst(), head == 0x58 || head == 0x59 else { return nil }
        var count = 0
        for _ in 0..<(head == 0x58 ? 1 : 2) {
            guard let byte = rest.popFirst() else { return nil }
            count = count << 8 | Int(byte)
        }
        return rest.count == count ? Data(rest) : nil
    }
}
