package import BusinessLogic
internal import CSodium

/// Hashes passwords with libsodium's Argon2id (RFC 9106).
///
/// The input is the UTF-8 of the password in NFC (Unicode Standard Annex 15; RFC 8265, section 4.2.2), so that all keyboards
/// give the same result. All bytes count, including NUL and spaces.
///
/// ``hash(_:)`` blocks the calling thread, for about 20 ms at the default cost. Meanwhile, it uses the memory that the cost requires. On an
/// event loop, use ``PasswordHasher``.
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

    /// Whether a hash should be replaced at the next login: it has less memory or fewer iterations than ``cost``, or is malformed or of another
    /// system.
    package func needsRehash(_ hash: String) -> Bool {
        guard let stored = (try? PasswordHash(hash))?.cost else { return true }
        return stored.memory < cost.memory || stored.iterations < cost.iterations
    }
}
