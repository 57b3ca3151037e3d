import Accounts
import ArgumentParser

/// The options for the password policy and for hashing.
struct PasswordOptions: ParsableArguments {
    @Option(Settings.passwordMin) var passwordMin: Int?
    @Option(Settings.hashMemory) var hashMemory: ByteCount?
    @Option(Settings.hashIterations) var hashIterations: Int?
    @Option(Settings.hashWorkers) var hashWorkers: Count?

    /// Returns the password policy.
    ///
    /// - Throws: `ValidationError` if a value is invalid.
    func policy(_ settings: SettingsReader) throws -> ServicePasswordPolicy {
        let minimum = try settings.value(passwordMin, Settings.passwordMin)
        return try valid(Settings.passwordMin) { () throws(PasswordSettingError) in
            try ServicePasswordPolicy(minimum: minimum)
        }
    }

    /// Returns a hasher with the configured cost.
    ///
    /// - Throws: `ValidationError` if a value is invalid; `PasswordHasherError` if the system cannot start the threads.
    func hasher(_ settings: SettingsReader) throws -> PasswordHasher {
        let memory = try settings.value(hashMemory, Settings.hashMemory).bytes >> 10
        let iterations = try settings.value(hashIterations, Settings.hashIterations)
        let partial = try valid(Settings.hashMemory) { () throws(PasswordSettingError) in
            try Argon2Cost(memory: memory)
        }
        let cost = try valid(Settings.hashIterations) { () throws(PasswordSettingError) in
            try Argon2Cost(memory: partial.memory, iterations: iterations)
        }
        return try PasswordHasher(cost: cost, workers: settings.value(hashWorkers, Settings.hashWorkers).number)
    }

    /// Returns what a value makes. A value out of its range is wrong usage.
    private func valid<Made>(_ setting: some AnySetting, _ make: () throws(PasswordSettingError) -> Made) throws -> Made
    {
        do throws(PasswordSettingError) {
            return try make()
        } catch {
            throw ValidationError("The value of '\(setting.name)' is invalid: \(error).")
        }
    }
}
