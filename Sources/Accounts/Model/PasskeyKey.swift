package import WebAuthn

/// The hash of a passkey's ID (BLAKE2b, 256 bits), by which stores ensure that no two accounts have the same passkey.
package struct PasskeyKey: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(_ passkey: Passkey) {
        bytes = blake2b(passkey.id, size: 32)
    }
}

extension Account {
    /// The keys of its passkeys.
    package var passkeyKeys: [PasskeyKey] { factors.passkeys.map { PasskeyKey($0.passkey) } }
}
