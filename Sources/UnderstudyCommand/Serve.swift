public import ArgumentParser
public import Logging
import MicroHTTP
import ServiceLifecycle
import Understudy
import UnixSignals

/// `understudy serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the bundled pages over HTTP.",
        discussion: """
            Every option can also be given in the environment: --session-idle as UNDERSTUDY_SESSION_IDLE. Options win. \
            A time is a number with ms, s, m, h or d (seconds without), a size a number with KiB or MiB (bytes without).
            """
    )

    @Option(help: "The address or host name to listen on. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port to listen on; 0 picks a free one. (default: 8080)")
    var port: UInt16?

    @Option(help: "The number of event loops. (default: one a processor)")
    var loops: Count?

    @Flag(help: "Serve the articles' demonstration: the account batman / bruce, and two products. Nothing is kept.")
    var demo = false

    @OptionGroup(title: "Storage")
    var storage: StorageOptions

    @OptionGroup(title: "Accounts")
    var accounts: AccountOptions

    @Option(help: "How long a session may go unused. (default: 30m)")
    var sessionIdle: TimeSpan?

    @Option(help: "How long a session may live. (default: 12h)")
    var sessionLifetime: TimeSpan?

    @Option(help: "How many sessions there may be; past that the one unused for longest goes. (default: 100000)")
    var maxSessions: Count?

    @Option(help: "The largest request body. (default: 64KiB)")
    var maxBody: ByteCount?

    @Option(help: "How long requests that were accepted may take on stopping. (default: 10s)")
    var drain: TimeSpan?

    @Option(help: "The address that clients use; with https, cookies are secure. (default: http://localhost)")
    var publicURL: PublicURL?

    @Option(help: "What to log. (default: info)")
    var logLevel: Logger.Level?

    func run() async throws {
        let isDemo = try demo || setting(Optional<Switch>.none, "demo", default: Switch(false)).isOn
        let logLevel = try setting(logLevel, "log-level", default: Logger.Level.info)
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = logLevel
            return handler
        }
        let logger = Logger(label: "understudy")
        let stage = try isDemo ? accounts.demonstration() : accounts.stage(in: storage, logger: logger)
        let service = UnderstudyService(
            pages: stage.pages,
            configuration: try serviceConfiguration(for: stage),
            logger: logger
        )
        let server = UnderstudyServer(service: service, configuration: try serverConfiguration(), logger: logger) {
            Self.announce($0, isDemo: isDemo)
        }
        var group = ServiceGroupConfiguration(
            services: [
                server, SecondSignal(), SessionEndings(store: stage.accounts, service: service, logger: logger),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "understudy.lifecycle") { _ in SwiftLogNoOpLogHandler() }
        )
        group.cancellationSignals = []
        try await ServiceGroup(configuration: group).run()
    }

    private func serviceConfiguration(for stage: Stage) throws -> ServiceConfiguration {
        var configuration = ServiceConfiguration()
        configuration.passwordPolicy = stage.policy
        configuration.onLogout = stage.onLogout
        configuration.sessions.idle = try setting(sessionIdle, "session-idle", default: TimeSpan(.seconds(1800)))
            .duration
        configuration.sessions.lifetime =
            try setting(sessionLifetime, "session-lifetime", default: TimeSpan(.seconds(43_200))).duration
        configuration.sessions.maximum = try setting(maxSessions, "max-sessions", default: Count(100_000)).number
        configuration.isPublicAddressSecure =
            try setting(publicURL, "public-url", default: PublicURL(isSecure: false)).isSecure
        return configuration
    }

    private func serverConfiguration() throws -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.host = try setting(host, "host", default: "127.0.0.1")
        configuration.port = try setting(port, "port", default: 8080)
        configuration.loops = try setting(loops, "loops", default: Count(ServerConfiguration.processors)).number
        configuration.maximumBodySize = try setting(maxBody, "max-body", default: ByteCount(64 << 10)).bytes
        configuration.drainTimeout = try setting(drain, "drain", default: TimeSpan(.seconds(10))).duration
        return configuration
    }

    private static func announce(_ address: ServerAddress, isDemo: Bool) {
        Terminal.print("Listening on \(Terminal.strong("http://\(address)"))")
        if isDemo {
            let isHere = ["127.0.0.1", "0.0.0.0", "::"].contains(address.host)
            let host = isHere ? "localhost:\(address.port)" : "\(address)"
            Terminal.print("Try: curl -d username=batman -d password=bruce \(host)/login")
        }
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
