/// What the authenticator says about a ceremony (WebAuthn section 6.1), without the passkey and extensions, which libfido2 reads.
struct AuthenticatorData {
    /// The number of bytes before the passkey and the extensions.
    private static let headerSize = 37

    let bytes: [UInt8]
    /// The number of signatures that the authenticator has counted.
    let counter: UInt32

    /// - Throws: ``WebAuthnError/malformedAuthenticatorData``.
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
