internal import CSodium

/// What the authenticator says about a ceremony (WebAuthn section 6.1), without the passkey and extensions, which libfido2 reads.
struct AuthenticatorData {
    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let userPresent = Flags(rawValue: 1 << 0)
        static let userVerified = Flags(rawValue: 1 << 2)
        static let backupEligible = Flags(rawValue: 1 << 3)
        static let backedUp = Flags(rawValue: 1 << 4)
        static let hasPasskey = Flags(rawValue: 1 << 6)
        static let hasExtensions = Flags(rawValue: 1 << 7)
    }

    /// The number of bytes before the passkey and the extensions.
    private static let headerSize = 37

    let bytes: [UInt8]
    private let flags: Flags
    /// The number of signatures that the authenticator has counted.
    let counter: UInt32

    /// - Throws: ``WebAuthnError/malformedAuthenticatorData``.
    init(_ bytes: [UInt8]) throws(WebAuthnError) {
        guard bytes.count >= Self.headerSize else { throw .malformedAuthenticatorData }
        self.bytes = bytes
        flags = Flags(rawValue: bytes[32])
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        let isLonger = bytes.count > Self.headerSize
        guard isLonger == !flags.isDisjoint(with: [.hasPasskey, .hasExtensions]) else {
            throw .malformedAuthenticatorData
        }
    }

    var isUserVerified: Bool { flags.contains(.userVerified) }
    var isBackupEligible: Bool { flags.contains(.backupEligible) }
    var isBackedUp: Bool { flags.contains(.backedUp) }
    var hasPasskey: Bool { flags.contains(.hasPasskey) }

    /// Checks what both ceremonies require.
    func check(_ party: RelyingParty) throws(WebAuthnError) {
        guard bytes.prefix(32).elementsEqual(Self.sha256(party.id)) else { throw .wrongRelyingParty }
        guard flags.contains(.userPresent) else { throw .userNotPresent }
        guard isBackupEligible || !isBackedUp else { throw .invalidBackupState }
    }

    private static func sha256(_ text: String) -> [UInt8] {
        let text = Array(text.utf8)
        var hash = [UInt8](repeating: 0, count: 32)
        crypto_hash_sha256(&hash, text, UInt64(text.count))
        return hash
    }
}
