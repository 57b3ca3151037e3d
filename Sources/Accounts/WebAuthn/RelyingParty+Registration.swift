public import BusinessLogic

extension RelyingParty {
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
}
