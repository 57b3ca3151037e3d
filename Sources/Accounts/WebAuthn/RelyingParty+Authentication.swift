public import BusinessLogic

extension RelyingParty {
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
