/// What computing an Argon2id hash costs (RFC 9106): the memory that it fills, and how often. One lane, since libsodium
/// computes no more.
public struct Argon2Cost: Equatable, Sendable, CustomStringConvertible {
    /// The memory in KiB, in ``memoryRange``; 19 MiB unless set.
    public let memory: Int
    /// How many times the memory is gone through, in ``iterationsRange``; 2 unless set.
    public let iterations: Int

    /// What ``memory`` may be, in KiB: 8 (the least of RFC 9106) to 256 MiB.
    ///
    /// Its end is also the most that a stored hash may ask for: a damaged or hostile database cannot have a worker allocate
    /// more.
    public static let memoryRange = 8...256 * 1024
    /// What ``iterations`` may be: 1 to 16. Its end is also the most that a stored hash may ask for.
    public static let iterationsRange = 1...16

    /// The cost of 19 MiB, 2 iterations, which the OWASP Password Storage Cheat Sheet recommends.
    public static let `default` = Argon2Cost(uncheckedMemory: 19 * 1024, iterations: 2)

    /// A cost.
    ///
    /// - Parameters:
    ///   - memory: KiB, in ``memoryRange``.
    ///   - iterations: a number in ``iterationsRange``.
    /// - Throws: ``PasswordSettingError`` where one of them is out of its range.
    public init(
        memory: Int = Argon2Cost.default.memory,
        iterations: Int = Argon2Cost.default.iterations
    ) throws(PasswordSettingError) {
        try PasswordSettingError.check(memory, "memory of a password hash in KiB", in: Self.memoryRange)
        try PasswordSettingError.check(iterations, "number of iterations of a password hash", in: Self.iterationsRange)
        self.init(uncheckedMemory: memory, iterations: iterations)
    }

    private init(uncheckedMemory memory: Int, iterations: Int) {
        self.memory = memory
        self.iterations = iterations
    }

    /// The cost as a PHC string has it: `m=19456,t=2,p=1`.
    public var description: String {
        "m=\(memory),t=\(iterations),p=1"
    }
}
