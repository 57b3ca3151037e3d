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
    /// - Throws: ``PasswordSettingError`` if one of them is out of its range, or if their product exceeds 1 GiB.
    public init(
        memory: Int = Argon2Cost.default.memory,
        iterations: Int = Argon2Cost.default.iterations
    ) throws(PasswordSettingError) {
        try PasswordSettingError.check(memory, "memory of a password hash in KiB", in: Self.memoryRange)
        try PasswordSettingError.check(iterations, "number of iterations of a password hash", in: Self.iterationsRange)
        let total = memory * iterations
        try PasswordSettingError.check(total, "memory of all iterations of a password hash in KiB", in: Self.totalRange)
        self.init(uncheckedMemory: memory, iterations: iterations)
    }

    private init(uncheckedMemory memory: Int, iterations: Int) {
        self.memory = memory
        self.iterations = iterations
    }

    /// The cost as in a PHC string: `m=19456,t=2,p=1`.
    public var description: String {
        "m=\(memory),t=\(iterations),p=1"
    }
}
