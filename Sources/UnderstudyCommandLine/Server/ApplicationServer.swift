import Accounts
import AccountsDatabase
import AccountsPostgreSQL
import AccountsSQLite
import BundledControllers
import BusinessLogic
import CoreMetrics
import Glibc
import HTTPMessages
import Logging
import MicroHTTP
import ServiceLifecycle
import Understudy
import UnderstudyReplay
import UnixSignals

/// The server of `serve`: everything that the settings name, opened and composed. It runs until it is stopped, and applies other settings at SIGHUP.
actor ApplicationServer {
    /// Reads the settings again, at each reload.
    private let readSettings: @Sendable () throws -> SettingsReader
    private let systemd: Systemd
    /// With which the server has started.
    private let settings: ServeSettings
    /// The settings in use.
    private var reader: SettingsReader
    private let log: LogWriter
    private let logger: Logger
    private let metrics: PrometheusRegistry
    /// `nil` without TLS.
    private let certificate: TLSCredentials?
    private let content: ContentFiles
    /// The warnings about the files in use, which are logged once.
    private var warnings: Set<ContentFiles.Warning>
    private let accounts: OpenedAccounts
    /// Sends the mails of the outbox; `nil` to send none.
    private let mails: MailDelivery?
    private let pages: [Page]
    /// Ends the sessions of this process; `nil` if they are in the database, in which a revocation ends them itself.
    private let revocations: SessionRevocations?
    /// With the settings in use.
    private var service: UnderstudyService
    private let server: UnderstudyServer
    /// The server for operators; `nil` without one.
    private var admin: AdminServer?
    /// What the pages for operators show.
    private let lastHour = LastHour()
    private let lastReload: Meter

    /// Opens files, but no connection to a database server, and no port.
    init(
        _ settings: ServeSettings,
        _ systemd: Systemd,
        log: LogWriter,
        readSettings: @escaping @Sendable () throws -> SettingsReader
    ) throws {
        (self.readSettings, self.settings, self.systemd, self.log) = (readSettings, settings, systemd, log)
        reader = settings.reader
        LoggingSystem.bootstrap(
            { LineLogHandler(label: $0, writer: log, metadataProvider: $1) },
            metadataProvider: .request
        )
        let logger = Logger(label: "understudy")
        self.logger = logger
        metrics = PrometheusRegistry(help: ServerMetrics.descriptions)
        MetricsSystem.bootstrap(metrics)
        lastReload = Meter(label: "understudy_last_reload_successful", factory: metrics)
        lastReload.set(1)
        // Before the database, which is created if it is missing.
        certificate = try settings.tls?.open()
        if let files = settings.tls, let error = certificate?.invalidity {
            logger.warning(
                error == .expired ? "The certificate has expired: renew it" : "The certificate is not valid yet",
                metadata: ["file": "\(files.certificate)"]
            )
        }
        try settings.admin.token?.check()
        content = try ContentFiles(settings)
        accounts = try OpenedAccounts(settings, mails: content.mails, metrics: metrics, logger: logger)
        mails = settings.mailer(clock: accounts.clock).map { [accounts] mailer in
            MailDelivery(
                outbox: accounts.outbox,
                mailer: mailer,
                clock: accounts.clock,
                drain: min(settings.server.drainTimeout, .seconds(5)),
                logger: logger
            )
        }
        pages = try Application.current.pages(accounts.dependencies)
        let warnings = try content.warnings(about: pages)
        for warning in warnings { warning.log(logger) }
        self.warnings = Set(warnings)
        let unserved = NavigationGraph(of: pages).unserved.map(\.name)
        if !unserved.isEmpty {
            logger.warning(
                "Events go to pages that the program does not contain",
                metadata: ["pages": "\(unserved.joined(separator: ","))"]
            )
        }
        revocations =
            settings.service.sessionMode == .memory
            ? SessionRevocations(
                last: accounts.lastRevocation,
                writes: { [database = accounts.database.database as? SQLiteDatabase] in database?.writes },
                read: accounts.database.database.sessionRevocations(after:)
            ) : nil
        var configuration = settings.service.withinMemoryLimit(logger)
        configuration.recording = try settings.recordingFolder()
        configuration.onLogout = accounts.service.recordLogout(of:)
        configuration.issueDeviceToken = accounts.service.issueDeviceToken
        configuration.findAgent = { [service = accounts.service] token in
            guard let (user, agent) = try await service.agent(withToken: token) else { return nil }
            return Agent(id: agent.id, user: user, mayChange: agent.mayChange)
        }
        configuration.onAgentLogin = { [service = accounts.service] in await service.recordLogin(ofAgent: $0.id, $1) }
        configuration.sessionStore = accounts.sessions
        configuration.clock = accounts.clock
        configuration.topics = accounts.topics
        configuration.metrics = metrics
        if let mails { configuration.readinessHints = { mails.hint.map { [$0] } ?? [] } }
        if let revocations {
            // If the store is not available, no user can log in either.
            configuration.followRevocations = { try? await revocations.follow() }
        }
        content.fill(&configuration)
        configuration.accessLog = settings.hasAccessLog ? LineAccessLog(log) : nil
        service = UnderstudyService(pages: pages, configuration: configuration, logger: logger)
        accounts.service.connect(to: service)

        let message = ListeningMessage(settings: settings, hasLogin: pages.contains { $0.name == "login" })
        var server = UnderstudyServer(
            service: service,
            configuration: try settings.listening(certificate, logger),
            logger: logger
        ) { [accounts, content] address in
            content.mails?.setAddress(message.linkAddress(address))
            if let site = settings.relyingParty(at: message.url(address)) { accounts.service.use(site) }
            message.announce(address, logger, isUnderSystemd: systemd.notifier != nil)
            systemd.notifier?.notify(.ready(status: "Listening on \(message.url(address))"))
        }
        if settings.drainDelay > .zero {
            server.drainDelay = { [delay = settings.drainDelay] in try? await Task.sleep(for: delay) }
        }
        self.server = server
    }

    /// Runs until it is stopped. The signals are those since the start of the process.
    func run(reloadingAt signals: UnixSignalsSequence) async throws {
        do { try await runServices(signals) } catch {
            await accounts.database.close()
            throw error
        }
        await accounts.database.close()
    }

    private func runServices(_ signals: UnixSignalsSequence) async throws {
        var group = ServiceGroupConfiguration(
            services: try services(signals),
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: .silent
        )
        group.cancellationSignals = []
        try await ServiceGroup(configuration: group).run()
    }

    /// The services in the order in which a `ServiceGroup` starts them. It stops the last one first. The port for operators is open, so that nothing
    /// is announced if it is taken.
    private func services(_ signals: UnixSignalsSequence) throws -> [any Service] {
        let clock = accounts.database.clock.map { ClockComparison(clock: $0, logger: logger) }
        ServerMetrics.collect(into: metrics, accounts, certificate, mails, log)
        admin = try adminServer()
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
        let notifier = systemd.notifier
        let lease = settings.database?.named(.current).leasing(settings.service.sessionMode)
        let services: [(any Service)?] = [
            // It stops last, so that systemd is notified until the server has stopped.
            notifier.flatMap { notifier in
                systemd.watchdog.map { limit in
                    PeriodicService { [service] in
                        let isAlive = service.isAlive
                        if isAlive { notifier.notify(.alive) }
                        // Checks more often while the process is not responsive, so that systemd is notified before the limit.
                        return limit / (isAlive ? 2 : 20)
                    }
                }
            },
            // After the servers, so that it logs the hash of the last record.
            accounts.storage.map { AuditWitness(database: $0, logger: logger) },
            // After the server, so that probes read that the server is stopping, and before the last record of the audit log is known.
            admin,
            ServiceFunction { [services = servicesOfDatabase(lease, clock)] in
                do {
                    try await cancelWhenGracefulShutdown { try await self.waitForDatabase(lease) }
                } catch is CancellationError {
                    return
                }
                if Task.isShuttingDownGracefully { return }
                try await ServiceGroup(services: services, logger: .silent).run()
            },
            admin.map { _ in
                PeriodicService { [lastHour, metrics, clock = accounts.clock] in
                    lastHour.add(metrics.samples(), at: Double(clock.now.milliseconds) / 1000)
                    return .seconds(60)
                }
            },
            SecondSignalService(),
            // The last service stops first.
            ServiceFunction {
                for await _ in signals.cancelOnGracefulShutdown() {
                    notifier?.notify(.reloading)
                    await self.reload()
                    notifier?.notify(.reloaded)
                }
                notifier?.notify(.stopping)
            },
        ]
        return services.compactMap(\.self)
    }

    /// Returns when the database can be used, and its lease is taken.
    ///
    /// A database server may start later than this process. An error that waiting does not correct, such as a wrong password, ends the process.
    private func waitForDatabase(_ lease: DatabaseLeasing?) async throws {
        let location = settings.database
        var delay = Duration.milliseconds(250)
        for attempt in 1... {
            do {
                try await accounts.prepare()
                return try await lease?.take() ?? ()
            } catch {
                // A database server may accept the next attempt; a file does not. If a call of the store has failed, its cause has been logged.
                let isTemporary = (error as? PostgreSQLError)?.isTemporary ?? (error is CollaboratorError)
                guard location?.isServer == true, isTemporary else { throw location?.explained(error) ?? error }
                let reason: Logger.Metadata = [
                    "attempt": "\(attempt)", "database": "\(location?.name ?? "")", "error": "\(error)",
                ]
                logger.warning("Waiting for the database", metadata: reason)
                systemd.notifier?.notify(.waiting(status: "Waiting for the database: \(error)"))
                service.waitForDatabase()
            }
            try await Task.sleep(for: delay)
            delay = min(delay * 2, .seconds(5))
        }
    }

    /// The services that need the database. The last one stops first: the server needs the others until it has drained. The lease ends when its
    /// sessions are saved.
    private func servicesOfDatabase(_ lease: DatabaseLeasing?, _ clock: ClockComparison?) -> [any Service] {
        revocations?.connect(to: service)
        // What other processes publish, such as other servers and 'products import'.
        let topics = accounts.sharedTopics.map { topics in
            ServiceFunction { try? await cancelWhenGracefulShutdown { try await topics.follow() } }
        }
        let measurement = accounts.storage.map { DatabaseMeasurement($0, factory: metrics) }
        // The mails are also those of the last events.
        let services: [(any Service)?] = [lease, mails, revocations, topics, clock, measurement, server]
        return services.compactMap(\.self)
    }

    /// Opens the port for operators; `nil` if it is switched off, or taken and not required.
    private func adminServer() throws -> AdminServer? {
        guard let configuration = settings.admin.configuration else { return nil }
        var responder = AdminResponder(
            service: service,
            exposition: metrics.exposition,
            testControl: accounts.testControl()
        )
        let status = {
            @Sendable [service, log, metrics, lastHour, database = accounts.storage, clock = accounts.clock] in
            var health = service.sampleHealth()
            var servers: [ServerProcess] = []
            // A database that is not available would delay the response.
            if health.status == 200 {
                do { servers = try await database?.servers() ?? [] } catch {
                    // The server has noticed by this that it is not available.
                    health = service.sampleHealth()
                }
            }
            let now = Double(clock.now.milliseconds) / 1000
            let samples = metrics.samples()
            return Overview(
                facts: .init(health: health, samples: samples, now: now),
                servers: servers,
                errors: log.errors,
                lastHour: lastHour.lines(samples, at: now),
                earlierDurations: lastHour.earlierDurations
            )
        }
        responder.reports["/status"] = { await status().lines.map(\.printable) }
        responder.reports["/settings"] = { await self.settingsReport().map(\.printable) }
        responder.reports["/attackers"] = { [accounts] in try await accounts.attackers().map(\.printable) }
        if let token = settings.admin.token { try add(token, status, to: &responder) }
        do { return try AdminServer(responder, configuration, logger) } catch {
            if settings.admin.isRequired { throw error }
            logger.warning("Cannot listen for operators", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    /// Adds the pages for operators who have a token.
    private func add(
        _ token: OperatorToken,
        _ status: @escaping @Sendable () async -> Overview,
        to responder: inout AdminResponder
    ) throws {
        let database = accounts.database.database
        let directory: any SessionDirectory =
            revocations.map { MemorySessions(service: service, revocations: $0) }
            ?? DatabaseSessionStore(database) { 0 }
        let administration = Administration(
            database: database,
            directory: directory,
            outbox: accounts.outbox,
            clock: accounts.clock,
            audit: accounts.audit,
            hasher: accounts.hasher,
            pages: { [pages] in pages }
        )
        let access = OperatorAccess(token: token, administration: administration, overview: status)
        responder.pages = try OperatorService.pages(access, title: settings.service.title, logger: logger)
        let rotation = OperatorToken.Rotation(of: token)
        responder.beforePages = { if rotation.hasHappened() { $0.endAllSessions() } }
    }

    // MARK: Other settings

    /// Reloads everything that can change. What cannot be reloaded stays as it is, and is logged. If any setting is invalid, all keep their values.
    private func reload() async {
        var hasCertificate = true
        if let certificate, let files = settings.tls {
            do {
                try files.replace(certificate)
                logger.info("The certificate and its key have been reloaded")
            } catch {
                hasCertificate = false
                logger.error("The certificate and its key are not reloaded", metadata: ["error": "\(error)"])
            }
        }
        do {
            let changed = try await applySettings()
            lastReload.set(hasCertificate ? 1 : 0)
            var metadata: Logger.Metadata = ["log-level": "\(log.level)"]
            if !changed.isEmpty { metadata["changed"] = "\(changed.names)" }
            logger.notice("Reloaded", metadata: metadata)
        } catch {
            lastReload.set(0)
            let message: Logger.Message = "The settings are not reloaded, and all keep their values"
            logger.error(message, metadata: ["error": "\(error)"])
        }
    }

    private func readSettingsAgain() throws -> SettingsReader {
        try reader.checkFile()
        return try readSettings()
    }

    /// The settings in use, and which ones differ where they are set.
    private func settingsReport() -> [String] {
        let lines = reader.lines()
        do {
            let current = try readSettingsAgain()
            _ = try ServeSettings(current, systemd: systemd)
            let changed = current.changed(since: reader)
            guard !changed.isEmpty else { return lines }
            return lines + ["", "CHANGED SINCE"]
                + current.lines(of: changed, remark: { $0.isReloadable ? "SIGHUP applies it" : "a restart applies it" })
        } catch { return lines + ["", "CHANGED SINCE", "This server would not start again: \(error)"] }
    }

    /// Reads the options, the environment and the configuration file again, with the checks of a start, and applies what can change. Reads
    /// translations, templates and static files again as well. Returns the settings that have changed and that apply now. If the server could
    /// not start with the settings, throws the reason, and changes nothing.
    private func applySettings() async throws -> [any AnySetting] {
        let all = try readSettingsAgain()
        try ServeSettings(all, systemd: systemd).admin.token?.check()
        let new = try ServeSettings(all.keeping(reader), systemd: systemd)
        let content = try ContentFiles(new)
        let current = try content.warnings(about: pages)

        var configuration = new.service.withinMemoryLimit(logger)
        content.fill(&configuration)
        configuration.accessLog = new.hasAccessLog ? LineAccessLog(log) : nil
        service = service.reloaded(with: configuration)
        await server.reload(service, new.server)
        if let admin, let operators = new.admin.configuration { await admin.reload(service, operators) }
        accounts.service.reload(new.rateLimits)
        if let mails = content.mails { self.content.mails?.templates.value = mails.templates.value }
        log.level = new.logLevel

        for warning in current where !warnings.contains(warning) { warning.log(logger) }
        let changed = new.reader.changed(since: reader)
        let needingRestart = all.changed(since: reader).filter { !$0.isReloadable }
        if !needingRestart.isEmpty {
            logger.warning(
                "Settings have changed that only a restart applies",
                metadata: ["settings": "\(needingRestart.names)"]
            )
        }
        (reader, warnings) = (new.reader, Set(current))
        return changed
    }
}

extension ServiceConfiguration {
    /// The same with sessions that need at most half of the memory that the process may use.
    fileprivate func withinMemoryLimit(_ logger: Logger) -> ServiceConfiguration {
        guard sessionMode == .memory, let limit = ProcessMetrics.memoryLimit(),
            limit / 2 < Double(sessions.maximumMemory)
        else { return self }
        logger.warning(
            "Sessions get at most half of the memory limit of the process, which is less than max-session-memory",
            metadata: ["limit": "\(Int(limit))", "max-session-memory": "\(sessions.maximumMemory)"]
        )
        var configuration = self
        configuration.sessions.maximumMemory = Int(limit / 2)
        return configuration
    }
}

extension [any AnySetting] {
    fileprivate var names: String { map(\.name).joined(separator: ",") }
}

extension ServeSettings {
    /// Checks what the machine must permit: the addresses, the number of open files, and the folder for recordings. Creates nothing.
    func checkMachine() throws {
        try listening(nil, .silent).checkHost()
        if admin.isRequired { try admin.configuration?.checkHost() }
        guard let recordings = self.recordings, access(recordings, F_OK) != 0 else { return _ = try recordingFolder() }
        let names = recordings.split(separator: "/").dropLast()
        guard access((recordings.hasPrefix("/") ? "/" : "./") + names.joined(separator: "/"), W_OK | X_OK) == 0 else {
            throw CommandError("Sessions cannot be recorded: '\(recordings)' cannot be created: \(systemError()).")
        }
    }

    /// Returns where to listen, with as many connections as the limit of open files permits, which this raises.
    fileprivate func listening(_ credentials: TLSCredentials?, _ logger: Logger) throws -> ServerConfiguration {
        var listening = self.server
        listening.credentials = credentials
        let descriptors = DescriptorNeeds(listening, databaseConnections: database?.connections ?? 0)
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
        return listening
    }
}

/// A service that is one function, which returns after a graceful shutdown.
private struct ServiceFunction: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws { try await body() }
}

/// A service that runs a function again and again, after the durations that it returns, until a graceful shutdown.
private struct PeriodicService: Service {
    let body: @Sendable () async -> Duration

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true { try await Task.sleep(for: await body()) }
        }
    }
}

/// Makes a second SIGTERM or SIGINT end the process at once.
struct SecondSignalService: Service {
    func run() async throws {
        try? await gracefulShutdown()
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        Task {
            for await second in signals { Self.end(by: second.rawValue) }
        }
    }

    /// Ends the process by the signal's default action, on this thread so that no other thread handles it.
    static func end(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // The kernel discards such a signal for the first process of a container. This is the status that a shell reports for it.
        _exit(128 + number)
    }
}
