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
        let stage = try plan.stage.open(logger: logger)
        let service = plan.service(of: stage, metrics: metrics, logger: logger)
        let server = UnderstudyServer(service: service, configuration: plan.server, logger: logger) {
            Self.announce($0, database: plan.stage.database?.path)
            systemd.notifier?.isReady("Listening on \(Self.url($0))")
        }
        // The last service stops first, and the first one last.
        var services: [any ServiceLifecycle.Service] = [
            server, SecondSignal(), SessionEndings(store: stage.accounts, service: service, logger: logger),
        ]
        let hashing = HashingMetrics(plan.stage.hasher, factory: metrics)
        let exposition = { @Sendable in
            hashing.measure()
            return metrics.exposition()
        }
        if let admin = plan.admin.server(service, logger, exposition: exposition) { services.append(admin) }
        if let notifier = systemd.notifier {
            if let limit = systemd.watchdog {
                services.insert(SystemdWatchdog(notifier: notifier, limit: limit) { service.isAlive }, at: 0)
            }
            services.append(Reload(notifier: notifier) { logger.info("Nothing to reload") })
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

    private static func url(_ address: ServerAddress) -> String {
        address.path == nil ? "http://\(address)" : "\(address)"
    }

    private static func announce(_ address: ServerAddress, database: String?) {
        Terminal.print("Listening on \(Terminal.strong(url(address)))")
        if let database { return Terminal.print("Accounts are kept in \(database.printable)") }
        let isHere = ["127.0.0.1", "0.0.0.0", "::"].contains(address.host)
        let host = isHere ? "localhost:\(address.port)" : "\(address)"
        let place = address.path.map { "--unix-socket \($0) localhost" } ?? host
        Terminal.print("Try: curl -d username=batman -d password=bruce \(place)/login")
    }
}

extension ServePlan {
    /// The service that puts a stage on.
    fileprivate func service(of stage: Stage, metrics: any MetricsFactory, logger: Logger) -> UnderstudyService {
        var configuration = service
        configuration.passwordPolicy = stage.policy
        configuration.onLogout = stage.onLogout
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
        return AdminServer(service: service, exposition: exposition, configuration: configuration, logger: logger) {
            if isWanted { throw $0 }
            logger.warning("There are no metrics", metadata: ["reason": "\($0)"])
        }
    }
}
