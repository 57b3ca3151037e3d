package import BusinessLogic
import CSodium

/// Hashes passwords with libsodium's Argon2id (RFC 9106).
///
/// The input is the UTF-8 of the password in NFC (RFC 8265, section 4.2.2). All bytes count, including NUL and spaces.
///
/// ``hash(_:)`` blocks the calling thread, for about 20 ms at the default cost. Meanwhile, it uses the memory that the cost requires. On an
/// event loop, use ``PasswordHasher``.
package struct Argon2id: Sendable {
    /// The cost of new hashes.
    package let cost: Argon2Cost

    package init(cost: Argon2Cost = .default) {
        self.cost = cost
    }

    /// The hash of a password with a salt of 128 random bits, as a PHC string. Throws `.overloaded` if there is not enough memory.
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

/// The cost of an Argon2id hash (RFC 9106): memory and iterations. The number of lanes is 1, as in libsodium.
public struct Argon2Cost: Equatable, Sendable, CustomStringConvertible {
    /// The memory in KiB, in ``memoryRange``; 19 MiB by default.
    public let memory: Int
    /// The number of passes over the memory, in ``iterationsRange``; 2 by default.
    public let iterations: Int

    /// The allowed values of ``memory`` in KiB: from 8, the minimum of RFC 9106, to 262,144 (256 MiB).
    ///
    /// The maximum also applies to stored hashes, so that a damaged or hostile database cannot make a thread allocate more.
    public static let memoryRange = 8...256 * 1024
    /// The allowed values of ``iterations``: 1 to 16. The maximum also applies to stored hashes.
    public static let iterationsRange = 1...16

    /// The allowed products of ``memory`` and ``iterations``, because a hash takes time in proportion to it: at most 1 GiB,
    /// about a second. The maximum also applies to stored hashes.
    package static let totalRange = 8...1024 * 1024

    /// 19 MiB and 2 iterations, as the OWASP Password Storage Cheat Sheet recommends.
    public static let `default` = Argon2Cost(uncheckedMemory: 19 * 1024, iterations: 2)

    /// A cost with that memory and those iterations.
    ///
    /// - Parameters:
    ///   - memory: KiB, in ``memoryRange``.
    ///   - iterations: a number in ``iterationsRange``.
    /// - Throws: ``SettingError`` if one of them is out of its range, or if their product exceeds 1 GiB.
    public init(
        memory: Int = Argon2Cost.default.memory,
        iterations: Int = Argon2Cost.default.iterations
    ) throws(SettingError) {
        try SettingError.check(memory, "memory of a password hash in KiB", in: Self.memoryRange)
        try SettingError.check(iterations, "number of iterations of a password hash", in: Self.iterationsRange)
        let total = memory * iterations
        try SettingError.check(total, "memory of all iterations of a password hash in KiB", in: Self.totalRange)
        self.init(uncheckedMemory: memory, iterations: iterations)
    }

    private init(uncheckedMemory memory: Int, iterations: Int) {
        self.memory = memory
        self.iterations = iterations
    }

    /// The cost as in a PHC string: `m=19456,t=2,p=1`.
    public var description: String { "m=\(memory),t=\(iterations),p=1" }
}
