import ArgumentParser
import Logging
import RateLimiting
import Understudy

/// The options of `serve` and `config`.
///
/// Each of these commands declares every group itself: in a debug build, ArgumentParser takes about four times as long for each
/// level of groups within groups.
protocol ServeOptions {
    var listening: ListeningOptions { get }
    var sessions: SessionOptions { get }
    var limits: LimitOptions { get }
    var storage: StorageOptions { get }
    var accounts: AccountOptions { get }
    var passkeys: PasskeyOptions { get }
    var passwords: PasswordOptions { get }
    var mail: MailOptions { get }
    var observability: ObservabilityOptions { get }
}

/// The options for the addresses, the hosts and proxies, the demonstration, and the translations.
struct ListeningOptions: ParsableArguments {
    @Option(Settings.host) var host: String?
    @Option(Settings.port) var port: UInt16?
    @Option(Settings.socket) var socket: String?
    @Option(Settings.socketMode) var socketMode: FileMode?
    @Option(Settings.tlsCertificate) var tlsCertificate: String?
    @Option(Settings.tlsKey) var tlsKey: String?
    @Option(Settings.loops) var loops: Count?
    @Option(Settings.publicURL) var publicURL: PublicURL?
    @Option(Settings.pathPrefix) var pathPrefix: PathPrefix?
    @Option(Settings.trustedProxies) var trustedProxies: String?
    @Option(Settings.allowedOrigins) var allowedOrigins: String?
    @Option(Settings.allowedHosts) var allowedHosts: String?
    @Flag(Settings.demo) var demo = false
    @Flag(Settings.dev) var dev = false
    @Option(Settings.pages) var pages: OnOff?
    @Option(Settings.templates) var templates: String?
    @Option(Settings.assets) var assets: String?
    @Option(Settings.imageOrigins) var imageOrigins: String?
    @Option(Settings.translations) var translations: String?
}

/// The options for the place, the lifetime, the number and the size of sessions.
struct SessionOptions: ParsableArguments {
    @Option(Settings.sessions) var sessions: SessionMode?
    @Option(Settings.sessionIdle) var sessionIdle: TimeSpan?
    @Option(Settings.sessionLifetime) var sessionLifetime: TimeSpan?
    @Option(Settings.maxSessions) var maxSessions: Count?
    @Option(Settings.maxSessionSize) var maxSessionSize: ByteCount?
    @Option(Settings.maxSessionMemory) var maxSessionMemory: ByteCount?
    @Option(Settings.sessionsPerAddress) var sessionsPerAddress: ValueOrOff<Count>?
}

/// The options that limit what clients can do.
struct LimitOptions: ParsableArguments {
    @Option(Settings.maxBody) var maxBody: ByteCount?
    @Option(Settings.requests) var requests: ValueOrOff<RateSetting>?
    @Option(Settings.maxConnections) var maxConnections: Count?
    @Option(Settings.connectionsPerAddress) var connectionsPerAddress: ValueOrOff<Count>?
    @Option(Settings.idleTimeout) var idleTimeout: TimeSpan?
    @Option(Settings.headerTimeout) var headerTimeout: TimeSpan?
    @Option(Settings.bodyTimeout) var bodyTimeout: TimeSpan?
    @Option(Settings.responseTimeout) var responseTimeout: TimeSpan?
    @Option(Settings.drain) var drain: TimeSpan?
    @Option(Settings.drainDelay) var drainDelay: TimeSpan?
    @Flag(Settings.limitLoopback) var limitLoopback = false
}

/// The options for logs, recordings and the port for operators.
struct ObservabilityOptions: ParsableArguments {
    @Option(Settings.logLevel) var logLevel: Logger.Level?
    @Option(Settings.logFormat) var logFormat: LogFormat?
    @Option(Settings.accessLog) var accessLog: OnOff?
    @Option(Settings.record) var record: String?
    @Option(Settings.adminHost) var adminHost: String?
    @Option(Settings.adminPort) var adminPort: ValueOrOff<UInt16>?
    @Option(Settings.adminTokenFile) var adminTokenFile: String?
    @Flag(Settings.testControl) var testControl = false
}
