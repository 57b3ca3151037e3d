import ArgumentParser
import Glibc
import MicroHTTP
import UnixSignals

/// `understudy serve`.
struct ServeCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("serve") }

    @OptionGroup(title: "Server") var listening: SettingOptions<Settings.Listening>
    @OptionGroup(title: "Sessions") var sessions: SettingOptions<Settings.Sessions>
    @OptionGroup(title: "Limits") var limits: SettingOptions<Settings.Limits>
    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup(title: "Accounts") var passwords: PasswordOptions
    @OptionGroup(title: "Accounts") var accounts: SettingOptions<Settings.Accounts>
    @OptionGroup(title: "Passkeys") var passkeys: SettingOptions<Settings.Passkeys>
    @OptionGroup(title: "Mail") var mail: SettingOptions<Settings.Mail>
    @OptionGroup(title: "Observability") var observability: SettingOptions<Settings.Observability>

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

    func run() async throws {
        // First, before another file gets the descriptor of a socket that systemd passes.
        let systemd = try Systemd.take()
        // First, so that no SIGHUP ends the process.
        let reloads = await UnixSignalsSequence(trapping: .sighup)
        let settings = try ServeSettings(settings(), systemd: systemd)
        // If the reader of the log ends, the service continues, and counts the lost lines.
        signal(SIGPIPE, SIG_IGN)
        let log = LogWriter(
            STDERR_FILENO,
            style: LogStyle(format: settings.logFormat, hasColour: Terminal.showsColourOfErrors),
            level: settings.logLevel,
            buffers: settings.server.loops
        )
        defer { log.close() }
        let server = try ApplicationServer(settings, systemd, log: log) { try self.settings() }
        try await server.run(reloadingAt: reloads)
    }
}
