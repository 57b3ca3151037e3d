public import BusinessLogic
internal import CSodium
internal import Foundation

/// Hashes and verifies passwords with Argon2id (RFC 9106), computed by libsodium.
///
/// A password is hashed in NFC (Unicode Standard Annex 15; RFC 8265, section 4.2.2), so that it does not matter which
/// keyboard composes it, as UTF-8: all of its bytes, those that are zero or blank included.
///
/// ``hash(_:)`` and ``verify(_:_:)`` keep their thread for as long as the cost takes, some 20 ms for the default one, and fill
/// as much memory as it says, which they give back. An event loop uses ``PasswordHasher``.
public struct Argon2id: Sendable {
    /// What new hashes cost.
    public let cost: Argon2Cost

    /// Hashes of that cost.
    public init(cost: Argon2Cost = .default) {
        self.cost = cost
    }

    /// Hashes a password with a salt of 128 random bits.
    ///
    /// - Returns: a PHC string, `$argon2id$v=19$m=19456,t=2,p=1$…`.
    /// - Throws: ``/BusinessLogic/CollaboratorError/overloaded(retryAfter:)`` where there is not enough memory.
    public func hash(_ password: String) throws(CollaboratorError) -> String {
        try startSodium()
        let password = password.normalized
        var text = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
        let status = password.withCString { bytes in
            crypto_pwhash_str_alg(
                &text,
                bytes,
                UInt64(password.utf8.count),
                UInt64(cost.iterations),
                cost.memory * 1024,
                crypto_pwhash_alg_argon2id13()
            )
        }
        guard status == 0 else { throw .overloaded(retryAfter: .seconds(1)) }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether a hash is the one of that password.
    ///
    /// A password of more than 4,096 code points is never right. Comparing takes the same time whatever is compared. A hash that ``canVerify(_:)`` refuses is nobody's, at once.
    ///
    /// - Parameters:
    ///   - password: the password in plain text, as it was typed.
    ///   - hash: a PHC string, also of another cost than ``cost``.
    /// - Throws: ``/BusinessLogic/CollaboratorError/overloaded(retryAfter:)`` where there is not enough memory.
    public func verify(_ password: String, _ hash: String) throws(CollaboratorError) -> Bool {
        try startSodium()
        guard let hash = Argon2idString(hash) else { return false }
        // No account's password has so many code points, however they are composed.
        let isTooLong = !password.hasAtMost(codePoints: 4 * AccountLimits.password)
        let password = isTooLong ? "" : password.normalized
        // Not crypto_pwhash_str_verify: where there is not enough memory, it says that the password is wrong.
        var digest = [UInt8](repeating: 0, count: hash.digest.count)
        let status = password.withCString { bytes in
            crypto_pwhash(
                &digest,
                UInt64(digest.count),
                bytes,
                UInt64(password.utf8.count),
                hash.salt,
                UInt64(hash.cost.iterations),
                hash.cost.memory * 1024,
                crypto_pwhash_alg_argon2id13()
            )
        }
        guard status == 0 else { throw .overloaded(retryAfter: .seconds(1)) }
        return sodium_memcmp(digest, hash.digest, digest.count) == 0 && !isTooLong
    }

    /// Whether a text is a hash of Argon2id, version 19, with one lane, a salt of 16 bytes and a digest of 32, which costs no
    /// more than ``Argon2Cost`` can say.
    public func canVerify(_ hash: String) -> Bool {
        Argon2idString(hash) != nil
    }

    /// Whether the password is to be hashed anew when it is known: where its hash has less memory or fewer iterations than
    /// ``cost``, or cannot be verified. A hash that costs more is left as it is.
    public func needsRehash(_ hash: String) -> Bool {
        guard let stored = Argon2idString(hash)?.cost else { return true }
        return stored.memory < cost.memory || stored.iterations < cost.iterations
    }

    /// A hash that no password is known for, and that takes as long to verify as any of ``cost``: random bits instead of
    /// computed ones.
    public func dummyHash() -> String {
        let salt = randomBase64(bytes: Argon2idString.saltLength)
        let digest = randomBase64(bytes: Argon2idString.digestLength)
        return "$argon2id$v=19$\(cost)$\(salt)$\(digest)"
    }

    /// Random bytes in base64 (RFC 4648) without padding.
    private func randomBase64(bytes count: Int) -> String {
        let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max) }
        return String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
    }

    private func startSodium() throws(CollaboratorError) {
        guard sodiumHasStarted else { throw .unavailable(retryAfter: .seconds(1)) }
    }
}

/// Whether libsodium could be made ready; once for the process.
let sodiumHasStarted = sodium_init() >= 0
