internal import CSodium
package import WebAuthn

/// The hash of a passkey's ID (BLAKE2b, 256 bits), by which stores ensure that no two accounts have the same passkey.
package struct PasskeyKey: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(_ passkey: Passkey) {
        var bytes = [UInt8](repeating: 0, count: 32)
        // Fails only for other sizes.
        _ = crypto_generichash(&bytes, bytes.count, passkey.id, UInt64(passkey.id.count), nil, 0)
        self.bytes = bytes
    }
}

extension Account {
    /// The keys of its passkeys.
    package var passkeyKeys: [PasskeyKey] { factors.passkeys.map { PasskeyKey($0.passkey) } }
}
