import ArgumentParser
import Glibc
import MicroHTTP
import UnixSignals

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
    @OptionGroup(title: "Development and tests") var development: SettingOptions<Settings.Development>

    /// Returns the settings of the options, the environment and the configuration file. `file` replaces the configuration file that they name.
    func settings(
        file: String? = nil,
        environment: [String: String] = Application.current.environment
    ) throws -> SettingsReader {
        try SettingsReader(file: file ?? storage.file, environment: environment)
            .with(listening).with(sessions).with(limits).with(storage).with(passwords).with(accounts)
            .with(passkeys).with(mail).with(observability).with(development)
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
            style: LogStyle(format: settings.logFormat, hasColour: Terminal.hasColour(STDERR_FILENO)),
            level: settings.logLevel,
            buffers: settings.server.loops
        )
        defer { log.close() }
        let server = try ApplicationServer(settings, systemd, log: log) { try self.settings() }
        try await server.run(reloadingAt: reloads)
    }
}

struct ConfigCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("config", usage: "\(Application.current.commandName) config [<options>]")
    }

    @Flag(help: "Print a configuration file instead: every setting with its description and default, commented out.")
    var template = false

    @Flag(help: "Ask the running server for its settings instead, and for those that have changed where they are set.")
    var running = false

    @OptionGroup var serve: ServeCommand

    func run() async throws {
        if template { return Terminal.print(SettingsTemplate.text, terminator: "") }
        let settings = try serve.settings()
        if running { return try HTTPClient(operatorsOf: settings).printReport("/settings") }
        let values = try ServeSettings(settings)
        for line in settings.lines(emphasised: Terminal.strong) { Terminal.print(line) }
        // Last, so that the settings are shown in any case.
        try values.tls?.check()
        _ = try ContentFiles(values)
        try values.admin.token?.check()
        try values.checkMachine()
    }
}
