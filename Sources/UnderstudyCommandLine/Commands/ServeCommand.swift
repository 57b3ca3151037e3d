import ArgumentParser
import CoreMetrics
import Glibc
import Logging
import HTTPMessages
import MicroHTTP
import PostgreSQL
import Prometheus
import RequestTracing
import ServiceLifecycle
import Understudy
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
        let reader = try settings()
        let settings = try ServeSettings(reader, systemd: systemd)
        // If the reader of the log ends, the service continues, and counts the lost lines.
        signal(SIGPIPE, SIG_IGN)
        let log = settings.log.writer(loops: settings.server.loops)
        defer { log.close() }
        let level = AdjustableLevel(settings.log.level)
        LoggingSystem.bootstrap(
            { settings.log.handler(label: $0, log, level: level, $1) },
            metadataProvider: .request
        )
        let metrics = PrometheusRegistry(
            help: ServerMetrics.descriptions.merging(PostgreSQLPool.metricDescriptions) { $1 }
        )
        MetricsSystem.bootstrap(metrics)
        let logger = Logger(label: "understudy")
        // Before the database, which is created if it is missing.
        let certificate = try settings.tls.map { files in
            ReloadableCertificate(files: files, credentials: try files.open(), logger: logger)
        }
        if let certificate, certificate.credentials.isExpired {
            logger.warning(
                "The certificate has expired: renew it",
                metadata: ["file": "\(certificate.files.certificate)"]
            )
        }
        try settings.admin.token?.check()
        let content = try ContentFiles(settings)
        let accounts = try OpenedAccounts(
            settings,
            mails: content.mails,
            metrics: metrics,
            logger: logger
        )
        let composition = try ServerComposition(
            settings,
            accounts,
            mailer: try settings.mailer(clock: accounts.clock),
            content: content,
            certificate: certificate,
            systemd: systemd,
            reloads: reloads,
            metrics: metrics,
            log: log,
            level: level,
            logger: logger,
            reader: reader
        ) { [self] former in
            try ReloadedSettings(self, systemd: systemd, replacing: former)
        }
        var group = ServiceGroupConfiguration(
            services: composition.services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "understudy.lifecycle") { _ in SwiftLogNoOpLogHandler() }
        )
        group.cancellationSignals = []
        let result: Result<Void, any Error>
        do { result = .success(try await ServiceGroup(configuration: group).run()) } catch { result = .failure(error) }
        await accounts.database?.close()
        try result.get()
    }
}
