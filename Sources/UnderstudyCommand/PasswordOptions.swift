import Accounts
import ArgumentParser

/// Which passwords will do, and what is kept of them: options that several commands have.
struct PasswordOptions: ParsableArguments {
    @Option(help: "How many characters a password needs, 8 to 128. (default: 15)")
    var passwordMin: Int?

    @Option(help: "The memory that hashing a password takes. (default: 19MiB)")
    var hashMemory: ByteCount?

    @Option(help: "How often hashing goes through that memory. (default: 2)")
    var hashIterations: Int?

    @Option(help: "How many passwords are hashed at once. (default: one a processor)")
    var hashWorkers: Count?

    /// Which passwords will do.
    func policy() throws -> ServicePasswordPolicy {
        try ServicePasswordPolicy(minimum: setting(passwordMin, "password-min", default: 15))
    }

    /// Hashes passwords.
    func hasher() throws -> PasswordHasher {
        let cost = try Argon2Cost(
            memory: setting(hashMemory, "hash-memory", default: ByteCount(Argon2Cost.default.memory << 10)).bytes >> 10,
            iterations: setting(hashIterations, "hash-iterations", default: Argon2Cost.default.iterations)
        )
        let workers = try setting(hashWorkers, "hash-workers", default: Count(PasswordHasher.processors)).number
        return try PasswordHasher(cost: cost, workers: workers)
    }
}

/// Where the record of what happens to accounts is kept.
struct AuditOptions: ParsableArguments {
    @Option(help: "The file for the audit log, a JSON object a line. (default: audit.jsonl in the data folder)")
    var auditLog: String?

    /// The file, where somebody says which.
    func path() throws -> String? {
        try setting(auditLog, "audit-log")
    }

    /// The file, in the data folder unless said otherwise.
    func path(in storage: StorageOptions) throws -> String {
        try path() ?? storage.folder() + "/audit.jsonl"
    }
}
