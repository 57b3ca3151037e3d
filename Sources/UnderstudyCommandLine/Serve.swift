import ArgumentParser
import CoreMetrics
import Logging
import MicroHTTP
import Prometheus
import ServiceLifecycle
import Understudy
import UnixSignals

/// `understudy serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the bundled pages over HTTP.",
        discussion: """
            Every option can also be given in the environment (--session-idle as UNDERSTUDY_SESSION_IDLE) or in the \
            configuration file (session-idle: 30m); 'understudy config' shows what holds. A time is a number with ms, s, m, \
            h or d (seconds without), a size a number with KiB or MiB (bytes without).
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        // Before anything else can take the descriptor for its own.
        let systemd = try Systemd.take()
        let plan = try await ServePlan(options, options.storage.configuration.settings(), socket: systemd.socket)
        LoggingSystem.bootstrap { LineLogHandler(label: $0, level: plan.logLevel, format: plan.logFormat) }
        let metrics = PrometheusRegistry(
            help: UnderstudyService.metricDescriptions.merging(HashingMetrics.descriptions) { $1 }
        )
        MetricsSystem.bootstrap(metrics)
        let logger = Logger(label: "understudy")
        let credentials = try plan.tls?.open()
        let stage = try plan.stage.open(logger: logger)
        let service = try plan.service(of: stage, metrics: metrics, logger: logger)
        var listening = plan.server
        listening.credentials = credentials
        let announcement = Announcement(plan)
        let server = UnderstudyServer(service: service, configuration: listening, logger: logger) { address in
            for line in announcement.lines(address) { Terminal.print(line) }
            systemd.notifier?.isReady("Listening on \(announcement.url(address))")
        }
        // The last service stops first, and the first one last.
        var services: [any ServiceLifecycle.Service] = [
            server, SecondSignal(), SessionRevocations(store: stage.accounts, service: service, logger: logger),
        ]
        let hashing = HashingMetrics(plan.stage.hasher, factory: metrics)
        let exposition = { @Sendable in
            hashing.measure()
            return metrics.exposition()
        }
        if let admin = plan.admin.server(service, logger, exposition: exposition) { services.append(admin) }
        if plan.tls != nil || systemd.notifier != nil {
            services.append(Reload(notifier: systemd.notifier) { Self.reload(plan.tls, credentials, logger: logger) })
        }
        if let notifier = systemd.notifier {
            if let limit = systemd.watchdog {
                services.insert(SystemdWatchdog(notifier: notifier, limit: limit) { service.isAlive }, at: 0)
            }
            services.append(SystemdStopNotice(notifier: notifier))
        }
        var group = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "understudy.lifecycle") { _ in SwiftLogNoOpLogHandler() }
        )
        group.cancellationSignals = []
        try await ServiceGroup(configuration: group).run()
    }

    /// Reads again what can be read again.
    private static func reload(_ files: TLSFiles?, _ credentials: TLSCredentials?, logger: Logger) {
        guard let files, let credentials else { return }
        do throws(CommandError) {
            try files.replace(credentials)
            logger.info("The certificate and its key have been read again")
        } catch {
            logger.error("The certificate and its key stay as they are", metadata: ["error": "\(error)"])
        }
    }
}

extension ServePlan {
    /// The service that puts a stage on.
    fileprivate func service(of stage: ServerComponents, metrics: any MetricsFactory, logger: Logger) throws
        -> UnderstudyService
    {
        var configuration = service
        configuration.recording = try recording?.folder()
        configuration.onLogout = stage.onLogout
        configuration.issueDeviceToken = stage.issueDeviceToken
        configuration.metrics = metrics
        if hasAccessLog { configuration.accessLogger = Logger(label: "understudy.access") }
        return UnderstudyService(pages: stage.pages, configuration: configuration, logger: logger)
    }
}

extension AdminPlan {
    /// The server for operators, where there is to be one.
    fileprivate func server(
        _ service: UnderstudyService,
        _ logger: Logger,
        exposition: @escaping @Sendable () -> String
    ) -> AdminServer? {
        guard let port else { return nil }
        var configuration = ServerConfiguration()
        configuration.host = host
        configuration.port = port
        configuration.hostPolicy = hostPolicy
        return AdminServer(service: service, exposition: exposition, configuration: configuration, logger: logger) {
            if isWanted { throw $0 }
            logger.warning("There are no metrics", metadata: ["reason": "\($0)"])
        }
    }
}
