/// A passkey as a server stores it: nothing of it is secret (a credential record in WebAuthn section 4). In JSON, it is an object.
public struct Passkey: Codable, Equatable, Sendable {
    /// How a passkey signs (COSE algorithms, RFC 9053), the preferred way first.
    public enum Algorithm: Int, Codable, CaseIterable, Sendable {
        /// Ed25519.
        case edDSA = -8
        /// ECDSA with P-256 and SHA-256.
        case es256 = -7
        /// ECDSA with P-384 and SHA-384.
        case es384 = -35
        /// RSA with 2,048 bits and SHA-256.
        case rs256 = -257
    }

    /// The ID of the passkey: 1 to 1,023 bytes.
    @Base64URLCoded public private(set) var id: [UInt8]
    /// How it signs.
    public let algorithm: Algorithm
    /// The public key, as libfido2 reads it.
    @Base64URLCoded public private(set) var publicKey: [UInt8]
    /// Whether it can be on several devices. This never changes.
    public let isBackupEligible: Bool
    /// The number of signatures that its authenticator has counted; 0 if it does not count.
    public var counter: UInt32
    /// Whether it is on several devices, as far as is known.
    public var isBackedUp: Bool

    /// Creates a passkey from what a server has stored.
    public init(
        id: [UInt8],
        algorithm: Algorithm,
        publicKey: [UInt8],
        isBackupEligible: Bool,
        counter: UInt32,
        isBackedUp: Bool
    ) {
        (self.id, self.algorithm, self.publicKey) = (id, algorithm, publicKey)
        (self.isBackupEligible, self.counter, self.isBackedUp) = (isBackupEligible, counter, isBackedUp)
    }
}
