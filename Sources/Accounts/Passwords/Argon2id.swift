package import BusinessLogic
internal import CSodium
internal import FoundationEssentials

/// Hashes and verifies passwords with libsodium's Argon2id (RFC 9106).
///
/// The input is the UTF-8 of the password in NFC (Unicode Standard Annex 15; RFC 8265, section 4.2.2), so that all keyboards
/// give the same result. All bytes count, including NUL and spaces.
///
/// ``hash(_:)`` and ``verify(_:_:)`` block the calling thread, for about 20 ms at the default cost. Meanwhile, they use the
/// memory that the cost requires. On an event loop, use ``PasswordHasher``.
package struct Argon2id: Sendable {
    /// The cost of new hashes.
    package let cost: Argon2Cost

    /// A hash function with that cost.
    package init(cost: Argon2Cost = .default) {
        self.cost = cost
    }

    /// The hash of a password with a salt of 128 random bits.
    ///
    /// - Returns: a PHC string, `$argon2id$v=19$m=19456,t=2,p=1$…`.
    /// - Throws: ``/BusinessLogic/CollaboratorError/overloaded(retryAfter:)`` if there is not enough memory.
    package func hash(_ password: String) throws(CollaboratorError) -> String {
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

    /// Whether a password matches a hash.
    ///
    /// A password of more than 4,096 code points never matches. The comparison takes constant time. If ``canVerify(_:)``
    /// rejects the hash, the result is `false` immediately.
    ///
    /// - Parameters:
    ///   - password: the password in plain text, as the user typed it.
    ///   - hash: a PHC string, of any cost.
    /// - Throws: ``/BusinessLogic/CollaboratorError/overloaded(retryAfter:)`` if there is not enough memory.
    package func verify(_ password: String, _ hash: String) throws(CollaboratorError) -> Bool {
        try startSodium()
        guard let hash = Argon2idString(hash) else { return false }
        // No account has such a long password, however it is composed.
        let isTooLong = !password.hasAtMost(codePoints: 4 * AccountText.password.maximum)
        let password = isTooLong ? "" : password.normalized
        // crypto_pwhash_str_verify() reports a wrong password if there is not enough memory.
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

    /// Whether a text is an Argon2id hash of version 19 with one lane, a salt of 16 bytes, a digest of 32 bytes and an allowed
    /// ``Argon2Cost``.
    package func canVerify(_ hash: String) -> Bool {
        Argon2idString(hash) != nil
    }

    /// Whether a hash should be replaced at the next login: it has less memory or fewer iterations than ``cost``, or
    /// ``canVerify(_:)`` rejects it, as one of another system.
    package func needsRehash(_ hash: String) -> Bool {
        guard let stored = Argon2idString(hash)?.cost else { return true }
        return stored.memory < cost.memory || stored.iterations < cost.iterations
    }

    /// A hash of random bits that matches no known password and takes as long to verify as any other hash of ``cost``.
    package func dummyHash() -> String {
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
