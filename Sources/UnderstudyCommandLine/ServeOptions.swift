public import ArgumentParser
public import Logging
import MicroHTTP
import RateLimiting
import Understudy

/// All that `understudy serve` can be told.
struct ServeOptions: ParsableArguments {
    @OptionGroup(title: "Server")
    var listening: ListeningOptions

    @OptionGroup(title: "Sessions")
    var sessions: SessionOptions

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    @OptionGroup(title: "Storage")
    var storage: StorageOptions

    @OptionGroup(title: "Accounts")
    var accounts: AccountOptions

    @OptionGroup(title: "Observability")
    var observability: ObservabilityOptions
}

/// Where to listen, and what is served there.
struct ListeningOptions: ParsableArguments {
    @Option(Settings.host)
    var host: String?

    @Option(Settings.port)
    var port: UInt16?

    @Option(Settings.socket)
    var socket: String?

    @Option(Settings.socketMode)
    var socketMode: FileMode?

    @OptionGroup var tls: TLSOptions

    @Option(Settings.loops)
    var loops: Count?

    @Option(Settings.publicURL)
    var publicURL: PublicURL?

    @Option(Settings.pathPrefix)
    var pathPrefix: PathPrefix?

    @Option(Settings.trustedProxies)
    var trustedProxies: String?

    @Option(Settings.allowedOrigins)
    var allowedOrigins: String?

    @Option(Settings.allowedHosts)
    var allowedHosts: String?

    @Flag(Settings.demo)
    var demo = false
}

/// How long sessions live.
struct SessionOptions: ParsableArguments {
    @Option(Settings.sessionIdle)
    var sessionIdle: TimeSpan?

    @Option(Settings.sessionLifetime)
    var sessionLifetime: TimeSpan?

    @Option(Settings.maxSessions)
    var maxSessions: Count?

    @Option(Settings.maxSessionSize)
    var maxSessionSize: ByteCount?

    @Option(Settings.maxSessionMemory)
    var maxSessionMemory: ByteCount?

    @Option(Settings.sessionsPerAddress)
    var sessionsPerAddress: OrOff<Count>?
}

/// What is put up with.
struct LimitOptions: ParsableArguments {
    @Option(Settings.maxBody)
    var maxBody: ByteCount?

    @Option(Settings.requests)
    var requests: OrOff<RateSetting>?

    @Option(Settings.maxConnections)
    var maxConnections: Count?

    @Option(Settings.connectionsPerAddress)
    var connectionsPerAddress: OrOff<Count>?

    @Option(Settings.idleTimeout)
    var idleTimeout: TimeSpan?

    @Option(Settings.headerTimeout)
    var headerTimeout: TimeSpan?

    @Option(Settings.bodyTimeout)
    var bodyTimeout: TimeSpan?

    @Option(Settings.answerTimeout)
    var answerTimeout: TimeSpan?

    @Option(Settings.drain)
    var drain: TimeSpan?

    @Flag(Settings.limitLoopback)
    var limitLoopback = false
}

/// What operators see.
struct ObservabilityOptions: ParsableArguments {
    @Option(Settings.logLevel)
    var logLevel: Logger.Level?

    @Option(Settings.logFormat)
    var logFormat: LogFormat?

    @Option(Settings.accessLog)
    var accessLog: Switch?

    @Option(Settings.record)
    var record: String?

    @Flag(Settings.recordRedacted)
    var recordRedacted = false

    @Option(Settings.adminHost)
    var adminHost: String?

    @Option(Settings.adminPort)
    var adminPort: AdminPort?
}

/// What is to be served, and how. Nothing has been opened yet.
struct ServePlan {
    let isDemo: Bool
    let server: ServerConfiguration
    /// Where to find what clients of TLS are shown; `nil` where it is not spoken.
    let tls: TLSFiles?
    let service: ServiceConfiguration
    let stage: ServerComposition
    let admin: AdminPlan
    let logLevel: Logger.Level
    let logFormat: LogFormat
    let hasAccessLog: Bool
    /// Where sessions are recorded; `nil` where they are not.
    let recording: RecordingPlan?

    /// What options, environment and configuration file say together.
    ///
    /// - Parameter socket: a listening socket that was handed over, which is served instead of all other places.
    /// - Throws: `ValidationError` where one of them cannot be understood.
    init(_ options: ServeOptions, _ settings: SettingsReader, socket: Int32? = nil) throws {
        var server = try Self.server(options.listening, options.limits, settings)
        if let socket { server.address = .handedOver(descriptor: socket) }
        self.server = server
        tls = try options.listening.tls.files(settings)
        var service = try Self.service(options, settings)
        if tls != nil { service.isPublicAddressSecure = true }
        self.service = service
        isDemo = try settings.value(options.listening.demo, Settings.demo)
        stage = try ServerComposition(
            options.accounts,
            in: options.storage,
            isDemo: isDemo,
            limitsLoopback: settings.value(options.limits.limitLoopback, Settings.limitLoopback),
            settings
        )
        admin = try AdminPlan(options.observability, hostPolicy: server.hostPolicy, settings)
        logLevel = try settings.value(options.observability.logLevel, Settings.logLevel)
        logFormat = try settings.value(options.observability.logFormat, Settings.logFormat)
        hasAccessLog = try settings.value(options.observability.accessLog, Settings.accessLog).isOn
        recording = try RecordingPlan(options.observability, settings, isDemo: isDemo)
    }

    private static func server(
        _ listening: ListeningOptions,
        _ limits: LimitOptions,
        _ settings: SettingsReader
    ) throws -> ServerConfiguration {
        var server = ServerConfiguration()
        server.host = try settings.value(listening.host, Settings.host)
        server.port = try settings.value(listening.port, Settings.port)
        let mode = try settings.value(listening.socketMode, Settings.socketMode).bits
        server.address = try settings.socketPath(listening.socket, orHost: listening.host, port: listening.port)
            .map { .unixSocket(path: $0, mode: mode) }
        server.loops = try settings.value(listening.loops, Settings.loops).number
        server.trustedProxies = try Self.trustedProxies(listening, settings)
        server.hostPolicy = try Self.hostPolicy(listening, settings)
        server.maximumBodySize = try settings.value(limits.maxBody, Settings.maxBody).bytes
        server.maximumConnections = try settings.value(limits.maxConnections, Settings.maxConnections).number
        server.connectionsPerAddress =
            try settings.value(limits.connectionsPerAddress, Settings.connectionsPerAddress).limit?.number
        server.limitsLoopback = try settings.value(limits.limitLoopback, Settings.limitLoopback)
        server.idleTimeout = try settings.value(limits.idleTimeout, Settings.idleTimeout).duration
        server.headTimeout = try settings.value(limits.headerTimeout, Settings.headerTimeout).duration
        server.bodyTimeout = try settings.value(limits.bodyTimeout, Settings.bodyTimeout).duration
        server.answerTimeout = try settings.value(limits.answerTimeout, Settings.answerTimeout).duration
        server.drainTimeout = try settings.value(limits.drain, Settings.drain).duration
        return server
    }

    private static func hostPolicy(_ listening: ListeningOptions, _ settings: SettingsReader) throws -> HostPolicy {
        let list = try settings.value(listening.allowedHosts, Settings.allowedHosts)
        do {
            var hosts = try list.map { list throws(AllowedHostsError) in try AllowedHosts(list) } ?? AllowedHosts()
            try hosts.allow(settings.value(listening.publicURL, Settings.publicURL).host)
            return list == nil ? .loopbackOnly(hosts) : .always(hosts)
        } catch let error as AllowedHostsError {
            throw ValidationError("The value '\(list ?? "")' is invalid for 'allowed-hosts': \(error).")
        }
    }

    private static func allowedOrigins(
        _ listening: ListeningOptions,
        _ settings: SettingsReader
    ) throws -> AllowedOrigins {
        guard let list = try settings.value(listening.allowedOrigins, Settings.allowedOrigins) else {
            return AllowedOrigins()
        }
        do {
            return try AllowedOrigins(list)
        } catch {
            throw ValidationError("The value '\(list)' is invalid for 'allowed-origins': \(error).")
        }
    }

    private static func trustedProxies(
        _ listening: ListeningOptions,
        _ settings: SettingsReader
    ) throws -> TrustedProxies {
        guard let list = try settings.value(listening.trustedProxies, Settings.trustedProxies) else {
            return TrustedProxies()
        }
        do {
            return try TrustedProxies(list)
        } catch {
            throw ValidationError("The value '\(list)' is invalid for 'trusted-proxies': \(error).")
        }
    }

    private static func service(_ options: ServeOptions, _ settings: SettingsReader) throws -> ServiceConfiguration {
        var service = ServiceConfiguration()
        service.sessions.idle = try settings.value(options.sessions.sessionIdle, Settings.sessionIdle).duration
        service.sessions.lifetime =
            try settings.value(options.sessions.sessionLifetime, Settings.sessionLifetime).duration
        service.sessions.maximum = try settings.value(options.sessions.maxSessions, Settings.maxSessions).number
        service.sessions.maximumSize =
            try settings.value(options.sessions.maxSessionSize, Settings.maxSessionSize).bytes
        service.sessions.maximumMemory =
            try settings.value(options.sessions.maxSessionMemory, Settings.maxSessionMemory).bytes
        service.sessions.maximumPerAddress =
            try settings.value(options.sessions.sessionsPerAddress, Settings.sessionsPerAddress).limit?.number
        service.pathPrefix = try settings.value(options.listening.pathPrefix, Settings.pathPrefix) ?? PathPrefix()
        service.allowedOrigins = try Self.allowedOrigins(options.listening, settings)
        service.requests = try settings.value(options.limits.requests, Settings.requests).limit?.rate
        service.limitsLoopback = try settings.value(options.limits.limitLoopback, Settings.limitLoopback)
        service.isPublicAddressSecure = try settings.value(options.listening.publicURL, Settings.publicURL).isSecure
        return service
    }
}

/// Where operators are answered.
struct AdminPlan {
    let host: String
    /// The port; `nil` where there is none.
    let port: UInt16?
    let hostPolicy: HostPolicy
    /// Whether somebody asked for that port, so that it has to be had.
    let isWanted: Bool

    init(_ options: ObservabilityOptions, hostPolicy: HostPolicy, _ settings: SettingsReader) throws {
        self.hostPolicy = hostPolicy
        host = try settings.value(options.adminHost, Settings.adminHost)
        let wanted = try settings.value(options.adminPort, Settings.adminPort)
        isWanted = wanted != nil
        port = wanted.map(\.number) ?? 9090
    }
}

/// Where sessions are recorded, and how.
struct RecordingPlan {
    let path: String
    let isRedacted: Bool

    /// - Throws: `ValidationError` where people's values would be recorded as they are.
    init?(_ options: ObservabilityOptions, _ settings: SettingsReader, isDemo: Bool) throws {
        let path = try settings.value(options.record, Settings.record)
        isRedacted = try settings.value(options.recordRedacted, Settings.recordRedacted)
        guard let path else { return nil }
        guard isDemo || isRedacted else {
            throw ValidationError(
                "What people enter would be recorded as it is: give '--record-redacted' too, or '--demo'."
            )
        }
        self.path = path
    }

    /// The folder, which is made where there is none.
    ///
    /// - Throws: ``CommandError`` where nothing can be written there.
    func folder() throws(CommandError) -> RecordingFolder {
        do {
            return try RecordingFolder(path, isRedacted: isRedacted)
        } catch {
            throw CommandError("Sessions cannot be recorded: \(error).")
        }
    }
}

extension SettingsReader {
    /// The path of the Unix domain socket, where that is the place. An option that names a port wins over a path that
    /// stands elsewhere.
    ///
    /// - Throws: `ValidationError` where options name both.
    func socketPath(_ option: String?, orHost host: String?, port: UInt16?) throws -> String? {
        let path = try value(option, Settings.socket)
        guard host != nil || port != nil else { return path }
        guard option == nil else {
            throw ValidationError("'--socket' stands in the place of '--host' and '--port': give one or the other.")
        }
        return nil
    }
}

extension RateSetting {
    /// The same for those who count.
    var rate: Rate { Rate(count, per: interval.duration) }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
