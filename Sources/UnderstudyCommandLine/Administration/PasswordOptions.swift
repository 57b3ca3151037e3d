import Accounts
import ArgumentParser

/// The options for the password policy and for hashing.
typealias PasswordOptions = SettingOptions<Settings.Passwords>

extension SettingOptions<Settings.Passwords> {
    /// Returns the password policy.
    ///
    /// - Throws: `ValidationError` if a value is invalid; ``CommandError`` if the list of leaked passwords cannot be used.
    func policy(_ settings: SettingsReader) throws -> ServicePasswordPolicy {
        try settings.with(self).passwordPolicy { error in
            Terminal.printNote(
                "The list of leaked passwords cannot be read, so that the password is not compared with it: \(error)."
            )
        }
    }
}

extension SettingsReader {
    /// Returns the password policy.
    ///
    /// - Parameter report: gets the reason if the list of leaked passwords cannot be read later.
    /// - Throws: `ValidationError` if a value is invalid; ``CommandError`` if the list of leaked passwords cannot be used.
    func passwordPolicy(
        onUnreadableList report: @escaping @Sendable (LeakedPasswordsError) -> Void
    ) throws -> ServicePasswordPolicy {
        let minimum = try value(Settings.passwordMin)
        let leaked = try value(Settings.leakedPasswords).map { path throws(CommandError) in
            do throws(LeakedPasswordsError) {
                return try LeakedPasswords(path: path, onFailure: report)
            } catch {
                throw CommandError("The list of leaked passwords '\(path)' cannot be used: \(error).")
            }
        }
        return try valid(Settings.passwordMin) { try ServicePasswordPolicy(minimum: minimum, leaked: leaked) }
    }

    /// Returns what hashes passwords.
    ///
    /// - Throws: `ValidationError` if a value is invalid.
    // Not inlined into asynchronous functions, with which the compiler of Swift 6.3 fails because of the typed errors.
    @inline(never)
    func hasher() throws -> PasswordHasher {
        try PasswordHasher(cost: hashCost(), workers: value(Settings.hashWorkers))
    }

    /// Returns how passwords are hashed.
    ///
    /// - Throws: `ValidationError` if a value is invalid.
    func hashCost() throws -> Argon2Cost {
        let memory = try value(Settings.hashMemory) >> 10
        let iterations = try value(Settings.hashIterations)
        _ = try valid(Settings.hashMemory) { try Argon2Cost(memory: memory) }
        return try valid(Settings.hashIterations) { try Argon2Cost(memory: memory, iterations: iterations) }
    }

    /// Returns what a value makes. A value out of its range is wrong usage.
    private func valid<Made>(_ setting: some AnySetting, _ make: () throws -> Made) throws -> Made {
        do { return try make() } catch let error as PasswordSettingError {
            throw ValidationError("The value of '\(setting.name)' is invalid: \(error).")
        }
    }
}
