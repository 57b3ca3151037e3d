import Accounts
import AccountsDatabase
import BusinessLogic
import Logging
import HTTPMessages
import MicroHTTP
import Prometheus
import PostgreSQL
import ServiceLifecycle
import Understudy
import UnderstudyReplay
import UnixSignals

/// The composition root of `serve`: opens everything that the settings name, and creates the objects that run.
struct ServerComposition {
    /// The services in the order in which a `ServiceGroup` starts them. It stops the last one first.
    let services: [any ServiceLifecycle.Service]

    /// - Parameters:
    ///   - mailer: sends the mails of the outbox; `nil` to send none.
    ///   - content: the translations, templates and static files.
    ///   - level: the lowest level that is logged now.
    ///   - reloads: the signals SIGHUP since the start of the process.
    ///   - reader: the settings.
    ///   - read: reads the settings again; its parameter is those in use.
    /// - Throws: ``CommandError`` and the errors of the stores if a file cannot be used; what the application's pages throw.
    init(
        _ settings: ServeSettings,
        _ accounts: OpenedAccounts,
        mailer: (any Mailer)?,
        content: ContentFiles,
        certificate: ReloadableCertificate?,
        systemd: Systemd,
        reloads: UnixSignalsSequence,
        metrics: PrometheusRegistry,
        log: LogWriter,
        level: AdjustableLevel,
        logger: Logger,
        reader: SettingsReader,
        read: @escaping @Sendable (SettingsReader) throws -> ReloadedSettings
    ) throws {
        let pages = try Application.current.pages(accounts.dependencies)

        var configuration = settings.service
        configuration.translations = content.translations
        configuration.recording = try settings.recordingFolder()
        configuration.onLogout = accounts.service.recordLogout(of:)
        configuration.issueDeviceToken = accounts.service.issueDeviceToken
        configuration.sessionStore = accounts.sessions
        configuration.clock = accounts.clock
        configuration.topics = accounts.topics
        configuration.metrics = metrics
        configuration.accessLog = settings.log.accessLog(log, level: level)
        let application = Application.current
        configuration.testSource = { try application.testSource(of: [("recorded", $0)]) }
        configuration.browserPages = content.htmlPages
        let warnings = try content.warnings(about: pages)
        for warning in warnings { warning.log(logger) }
        for destination in NavigationGraph(of: pages).unserved {
            logger.warning(
                "An event goes to a page that the program does not contain",
                metadata: ["page": "\(destination.name)"]
            )
        }
        let mails = mailer.map { mailer in
            MailDelivery(
                outbox: accounts.outbox,
                mailer: mailer,
                clock: accounts.clock,
                drain: min(settings.server.drainTimeout, .seconds(5)),
                logger: logger
            )
        }
        if let mails { configuration.readinessHints = { mails.hint.map { [$0] } ?? [] } }
        // In the database, a revocation ends the sessions itself.
        let revocations =
            configuration.sessionMode == .memory
            ? SessionRevocations(last: accounts.lastRevocation, read: accounts.store.sessionRevocations(after:)) : nil
        if let revocations {
            // If the store is not available, no user can log in either.
            configuration.followRevocations = { try? await revocations.follow() }
        }
        let service = UnderstudyService(pages: pages, configuration: configuration, logger: logger)
        accounts.service.connect(to: service)

        var listening = settings.server
        let descriptors = DescriptorNeeds(
            listening,
            databaseConnections: settings.database?.connections ?? 0
        )
        let limit = descriptors.raiseLimit()
        try descriptors.requireMinimum(of: limit)
        let connections = descriptors.connections(within: limit)
        if connections < listening.maximumConnections {
            logger.warning(
                "The limit of open files permits fewer connections than max-connections",
                metadata: ["limit": "\(limit)", "needed": "\(descriptors.total)", "connections": "\(connections)"]
            )
            listening.maximumConnections = connections
        }
        listening.credentials = certificate?.credentials
        let message = ListeningMessage(settings, hasLogin: pages.contains { $0.name == "login" })
        var server = UnderstudyServer(service: service, configuration: listening, logger: logger) { address in
            content.mails?.setAddress(message.url(address))
            if let site = settings.relyingParty(at: message.url(address)) { accounts.service.use(site) }
            message.announce(address, logger, isUnderSystemd: systemd.notifier != nil)
            systemd.notifier?.notifyReady(status: "Listening on \(message.url(address))")
        }
        let delay = settings.drainDelay > .zero ? DrainDelay(settings.drainDelay) : nil
        if let delay { server.drainDelay = { await delay.wait() } }
        let lease =
            configuration.sessionMode == .memory
            ? try settings.database?.named(.current).sessionLeasing() : nil
        // The last one stops first: the server needs the others until it has drained. The lease ends when its sessions are saved.
        var servers: [any ServiceLifecycle.Service] = lease.map { [$0] } ?? []
        // It also sends the mails of the last events.
        if let mails { servers.append(mails) }
        if let revocations {
            revocations.connect(to: service)
            servers.append(revocations)
        }
        if let topics = accounts.sharedTopics {
            // What other processes publish, such as other servers and 'products import'.
            servers.append(ServiceFunction { try? await cancelWhenGracefulShutdown { try await topics.follow() } })
        }
        let clock = accounts.database?.clock.map { ClockComparison(clock: $0, logger: logger) }
        if let clock { servers.append(clock) }
        servers.append(server)
        let wait = DatabaseWait(
            accounts: accounts,
            location: settings.database,
            lease: lease,
            services: servers,
            notifier: systemd.notifier,
            logger: logger
        )
        var services: [any ServiceLifecycle.Service] = [wait, SecondSignalService(delay: delay)]
        // It stops after the servers, so that it logs the hash of the last record.
        if let database = accounts.database?.database {
            services.insert(AuditWitness(database: database, logger: logger), at: 0)
        }

        ServerMetrics.collect(into: metrics, accounts, certificate?.credentials, mails, log)
        var admin = settings.admin.server(service, logger, exposition: metrics.exposition)
        admin?.testControl = accounts.testControl()
        let status = { @Sendable [database = accounts.database?.database, clock = accounts.clock] in
            let health = service.sampleHealth()
            return Overview(
                health: health,
                samples: metrics.samples(),
                // A database that is not available would delay the response.
                servers: health.status == 200 ? try await database?.servers() ?? [] : [],
                errors: log.errors.lines,
                now: Double(clock.now.milliseconds) / 1000
            )
        }
        admin?.status = { try await status().lines.map(\.printable) }
        let directory: (any SessionDirectory)? =
            revocations.map { MemorySessions(service: service, revocations: $0) }
            ?? accounts.database.map { DatabaseSessions(database: $0.database) }
        if admin != nil, let token = settings.admin.token, let directory {
            let administration = Administration(
                store: accounts.database?.database,
                directory: directory,
                outbox: accounts.outbox,
                clock: accounts.clock,
                audit: accounts.audit,
                hasher: accounts.hasher,
                pages: { pages }
            )
            let access = OperatorAccess(token: token, administration: administration, overview: status)
            admin?.pages = try OperatorService.pages(access, logger: logger)
            let rotation = OperatorToken.Rotation(of: token)
            admin?.beforePages = { if rotation.hasHappened() { $0.endAllSessions() } }
        }
        // It stops after the server, so that probes read that the server is stopping, and before the last record of the audit log is known.
        if let admin { services.insert(admin, at: accounts.database == nil ? 0 : 1) }
        if settings.isTestControlled {
            logger.warning(
                "This server is for tests: on the port for operators, /test sets its clock and resets its data"
            )
        }
        if settings.isDevelopment {
            logger.warning(
                "This server is for development: pages show all that their session stores, and why an event has failed"
            )
        }
        let reloading = Reloading(
            certificate: certificate,
            server: RunningServer(
                pages: pages,
                service: service,
                configuration: configuration,
                server: server,
                admin: admin,
                accounts: accounts.service,
                mails: content.mails,
                log: log,
                level: level,
                logger: logger
            ),
            reader: reader,
            warnings: warnings,
            metrics: ReloadMetrics(factory: metrics),
            read: read
        )
        services.append(ReloadService(signals: reloads, notifier: systemd.notifier) { await reloading.run() })
        if let notifier = systemd.notifier {
            if let limit = systemd.watchdog {
                // The first service stops last, so that systemd is notified until the server has stopped.
                services.insert(SystemdWatchdog(notifier: notifier, limit: limit) { service.isAlive }, at: 0)
            }
            // The last service stops first.
            services.append(
                ServiceFunction {
                    try? await gracefulShutdown()
                    notifier.notifyStopping()
                }
            )
        }
        self.services = services
    }
}

extension AdminSettings {
    /// Returns the server for operators; `nil` if it is switched off.
    fileprivate func server(
        _ service: UnderstudyService,
        _ logger: Logger,
        exposition: @escaping @Sendable () -> String
    ) -> AdminServer? {
        guard let configuration else { return nil }
        return AdminServer(service: service, exposition: exposition, configuration: configuration, logger: logger) {
            if isRequired { throw $0 }
            logger.warning("Cannot listen for operators", metadata: ["reason": "\($0)"])
        }
    }
}
