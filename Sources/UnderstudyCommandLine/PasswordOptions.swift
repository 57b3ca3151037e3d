import Accounts
import ArgumentParser

/// Which passwords will do, and what is kept of them: options that several commands have.
struct PasswordOptions: ParsableArguments {
    @Option(Settings.passwordMin)
    var passwordMin: Int?

    @Option(Settings.hashMemory)
    var hashMemory: ByteCount?

    @Option(Settings.hashIterations)
    var hashIterations: Int?

    @Option(Settings.hashWorkers)
    var hashWorkers: Count?

    /// Which passwords will do.
    func policy(_ settings: SettingsReader) throws -> ServicePasswordPolicy {
        try ServicePasswordPolicy(minimum: settings.value(passwordMin, Settings.passwordMin))
    }

    /// Hashes passwords.
    func hasher(_ settings: SettingsReader) throws -> PasswordHasher {
        let cost = try Argon2Cost(
            memory: settings.value(hashMemory, Settings.hashMemory).bytes >> 10,
            iterations: settings.value(hashIterations, Settings.hashIterations)
        )
        return try PasswordHasher(cost: cost, workers: settings.value(hashWorkers, Settings.hashWorkers).number)
    }
}

/// Where the record of what happens to accounts is kept.
struct AuditOptions: ParsableArguments {
    @Option(Settings.auditLog)
    var auditLog: String?

    /// The file, where somebody says which.
    func path(_ settings: SettingsReader) throws -> String? {
        try settings.value(auditLog, Settings.auditLog)
    }

    /// The file, in the data folder unless said otherwise.
    func file(in storage: StorageOptions, _ settings: SettingsReader) throws -> KeptFile {
        try storage.file(path(settings), "audit.jsonl", settings)
    }
}
