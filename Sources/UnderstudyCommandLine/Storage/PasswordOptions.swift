import Accounts
import ArgumentParser

/// The options for the password policy and for hashing.
struct PasswordOptions: ParsableArguments {
    @Option(Settings.passwordMin)
    var passwordMin: Int?

    @Option(Settings.hashMemory)
    var hashMemory: ByteCount?

    @Option(Settings.hashIterations)
    var hashIterations: Int?

    @Option(Settings.hashWorkers)
    var hashWorkers: Count?

    /// Returns the password policy.
    func policy(_ settings: SettingsReader) throws -> ServicePasswordPolicy {
        try ServicePasswordPolicy(minimum: settings.value(passwordMin, Settings.passwordMin))
    }

    /// Returns a hasher with the configured cost.
    func hasher(_ settings: SettingsReader) throws -> PasswordHasher {
        let cost = try Argon2Cost(
            memory: settings.value(hashMemory, Settings.hashMemory).bytes >> 10,
            iterations: settings.value(hashIterations, Settings.hashIterations)
        )
        return try PasswordHasher(cost: cost, workers: settings.value(hashWorkers, Settings.hashWorkers).number)
    }
}
