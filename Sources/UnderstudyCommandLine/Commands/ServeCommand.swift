import ArgumentParser
import Glibc
import MicroHTTP
import UnixSignals

/// `understudy serve`.
struct ServeCommand: AsyncParsableCommand, ServeOptions {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve",
            abstract: "Serve the pages over HTTP.",
            discussion: """
                Every option can also be set in the environment (--session-idle as UNDERSTUDY_SESSION_IDLE) or in the \
                configuration file (session-idle: 30m); '\(Application.current.commandName) config' shows which settings \
                apply. A duration is a number with ms, s, m, h or d (seconds without), a size a number with KiB or MiB \
                (bytes without).
                """
        )
    }

    @OptionGroup(title: "Server") var listening: SettingOptions<Settings.Listening>
    @OptionGroup(title: "Sessions") var sessions: SettingOptions<Settings.Sessions>
    @OptionGroup(title: "Limits") var limits: SettingOptions<Settings.Limits>
    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup(title: "Accounts") var passwords: PasswordOptions
    @OptionGroup(title: "Accounts") var accounts: SettingOptions<Settings.Accounts>
    @OptionGroup(title: "Passkeys") var passkeys: SettingOptions<Settings.Passkeys>
    @OptionGroup(title: "Mail") var mail: SettingOptions<Settings.Mail>
    @OptionGroup(title: "Observability") var observability: SettingOptions<Settings.Observability>

    func run() async throws {
        // First, before another file gets the descriptor of a socket that systemd passes.
        let systemd = try Systemd.take()
        // Before the log is opened, so that each SIGHUP after a file was moved has an effect.
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
        try await ApplicationServer(self, settings, systemd, log: log).run(reloadingAt: reloads)
    }
}
