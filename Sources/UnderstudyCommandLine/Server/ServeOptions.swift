/// The options of `serve` and `config`.
///
/// Each of these commands declares every group itself: in a debug build, ArgumentParser takes about four times as long for each
/// level of groups within groups.
protocol ServeOptions: Sendable {
    var listening: SettingOptions<Settings.Listening> { get }
    var sessions: SettingOptions<Settings.Sessions> { get }
    var limits: SettingOptions<Settings.Limits> { get }
    var storage: StorageOptions { get }
    var passwords: PasswordOptions { get }
    var accounts: SettingOptions<Settings.Accounts> { get }
    var passkeys: SettingOptions<Settings.Passkeys> { get }
    var mail: SettingOptions<Settings.Mail> { get }
    var observability: SettingOptions<Settings.Observability> { get }
}

extension ServeOptions {
    /// Returns the settings of the options, the environment and the configuration file.
    ///
    /// - Parameters:
    ///   - file: the configuration file; `nil` for the one that the option or the environment names.
    ///   - environment: its variables.
    /// - Throws: ``CommandError`` if the file cannot be read, or contains an unknown setting.
    func settings(
        file: String? = nil,
        environment: [String: String] = Application.current.environment
    ) throws -> SettingsReader {
        try SettingsReader(file: file ?? storage.configuration.config, environment: environment)
            .with(listening).with(sessions).with(limits).with(storage.options).with(passwords).with(accounts)
            .with(passkeys).with(mail).with(observability)
    }
}
