import Accounts
import Logging
import MicroHTTP
import Understudy

/// All that an operator can set.
enum Settings {
    // MARK: Where to listen

    static let host = Setting("host", "The address or host name to listen on.", usually: "127.0.0.1")
    static let port = Setting<UInt16>("port", "The port to listen on; 0 picks a free one.", usually: 8080)
    static let socket = OptionalSetting<String>(
        "socket",
        "The path of a Unix domain socket to listen on, instead of host and port."
    )
    static let socketMode = Setting(
        "socket-mode",
        "Who may connect to it: the permissions of its file.",
        usually: FileMode(0o660)
    )
    static let loops = Setting(
        "loops",
        "The number of event loops, each a thread.",
        usually: Count(ServerConfiguration.processors),
        shown: "one a processor"
    )
    static let tlsCertificate = OptionalSetting<String>(
        "tls-certificate",
        "A file with the certificate to speak TLS with, and those that vouch for it, in PEM; read again at a SIGHUP."
    )
    static let tlsKey = OptionalSetting<String>(
        "tls-key",
        "A file with the certificate's private key, in PEM and without a password; read again at a SIGHUP."
    )
    static let publicURL = Setting(
        "public-url",
        "The address that clients use; with https, cookies are secure. Its host is always allowed.",
        usually: PublicURL("http://localhost", isSecure: false, host: "localhost")
    )

    static let pathPrefix = OptionalSetting<PathPrefix>(
        "path-prefix",
        "The path below which everything stands, such as /understudy. /livez and /readyz are also answered without it."
    )

    static let trustedProxies = OptionalSetting<String>(
        "trusted-proxies",
        "The reverse proxies that are believed when they say who asks: addresses, networks and 'unix', with commas between."
    )

    static let allowedOrigins = OptionalSetting<String>(
        "allowed-origins",
        "The other sites whose pages may use the service from a browser, as origins (https://app.example) with commas between."
    )

    static let allowedHosts = OptionalSetting<String>(
        "allowed-hosts",
        "The host names for which to answer, besides localhost, IP addresses and the one of public-url, with commas between. A server on a public address checks them only if this is set."
    )

    // MARK: What is served

    static let demo = Setting(
        "demo",
        "Serve the articles' demonstration: the account batman / bruce, and two products. Nothing is kept.",
        usually: Switch(false)
    )

    // MARK: Sessions

    static let sessionIdle = Setting(
        "session-idle",
        "How long a session may go unused.",
        usually: TimeSpan("30m", .seconds(1800))
    )
    static let sessionLifetime = Setting(
        "session-lifetime",
        "How long a session may live.",
        usually: TimeSpan("12h", .seconds(43_200))
    )
    static let maxSessions = Setting(
        "max-sessions",
        "How many sessions there may be; above it, the one unused for longest ends, first of those without a user.",
        usually: Count(100_000)
    )
    static let maxSessionSize = Setting(
        "max-session-size",
        "How much a session may hold; an event that would exceed it is rejected.",
        usually: ByteCount("64KiB", 64 << 10)
    )
    static let maxSessionMemory = Setting(
        "max-session-memory",
        "How much all sessions may hold; above it, sessions end as above max-sessions.",
        usually: ByteCount("256MiB", 256 << 20)
    )
    static let sessionsPerAddress = Setting(
        "sessions-per-address",
        "How many sessions without a logged-in user there may be from one address, or 'off'; above it, the oldest ends.",
        usually: OrOff(Count(1000))
    )

    // MARK: Limits

    static let maxBody = Setting("max-body", "The largest request body.", usually: ByteCount("64KiB", 64 << 10))
    static let requests = Setting(
        "requests",
        "How many requests may come from one address, as COUNT/TIME, or 'off'.",
        usually: OrOff(RateSetting(1200, per: TimeSpan("1m", .seconds(60))))
    )
    static let maxConnections = Setting(
        "max-connections",
        "How many connections there may be at once; further clients wait.",
        usually: Count(16_384)
    )
    static let connectionsPerAddress = Setting(
        "connections-per-address",
        "How many connections there may be from one address at once, or 'off'; further ones are closed.",
        usually: OrOff(Count(100))
    )
    static let idleTimeout = Setting(
        "idle-timeout",
        "How long a connection may stay silent.",
        usually: TimeSpan("60s", .seconds(60))
    )
    static let headerTimeout = Setting(
        "header-timeout",
        "How long the header of a request may take to arrive, from its first byte.",
        usually: TimeSpan("15s", .seconds(15))
    )
    static let bodyTimeout = Setting(
        "body-timeout",
        "How long the body of a request may take to arrive.",
        usually: TimeSpan("30s", .seconds(30))
    )
    static let answerTimeout = Setting(
        "answer-timeout",
        "How long an event may take before its client is told that it takes too long.",
        usually: TimeSpan("30s", .seconds(30))
    )
    static let drain = Setting(
        "drain",
        "How long requests that were accepted may take on stopping.",
        usually: TimeSpan("10s", .seconds(10))
    )
    static let limitLoopback = Setting(
        "limit-loopback",
        "Hold the limits for addresses against this machine's own, too.",
        usually: Switch(false)
    )

    // MARK: Storage

    static let data = OptionalSetting<String>(
        "data",
        "The folder for what is kept.",
        usually: "$STATE_DIRECTORY, or ~/.local/share/understudy; /var/lib/understudy for the package's user"
    )
    static let database = OptionalSetting<String>(
        "database",
        "The SQLite file with accounts and products.",
        usually: "understudy.sqlite in the data folder"
    )
    static let auditLog = OptionalSetting<String>(
        "audit-log",
        "The file for the audit log, a JSON object a line.",
        usually: "audit.jsonl in the data folder"
    )

    // MARK: Accounts

    static let logins = Setting(
        "logins",
        "How many logins may be verified from one address, as COUNT/TIME, including those that succeed.",
        usually: RateSetting(300, per: TimeSpan("10m", .seconds(600)))
    )
    static let failedLogins = Setting(
        "failed-logins",
        "How many logins may fail from one address, as COUNT/TIME.",
        usually: RateSetting(30, per: TimeSpan("10m", .seconds(600)))
    )
    static let signups = Setting(
        "signups",
        "How many may sign up from one address, as COUNT/TIME.",
        usually: RateSetting(10, per: TimeSpan("1h", .seconds(3600)))
    )

    // MARK: Passwords

    static let passwordMin = Setting("password-min", "How many characters a password needs, 8 to 128.", usually: 15)
    static let hashMemory = Setting(
        "hash-memory",
        "The memory that hashing a password takes.",
        usually: ByteCount("19MiB", Argon2Cost.default.memory << 10)
    )
    static let hashIterations = Setting(
        "hash-iterations",
        "How often hashing goes through that memory.",
        usually: Argon2Cost.default.iterations
    )
    static let hashWorkers = Setting(
        "hash-workers",
        "How many passwords are hashed at once.",
        usually: Count(PasswordHasher.processors),
        shown: "one a processor"
    )

    // MARK: Seeing in

    static let logLevel = Setting(
        "log-level",
        "What to log: trace, debug, info, notice, warning, error or critical.",
        usually: Logger.Level.info,
        shown: "info"
    )

    static let logFormat = Setting(
        "log-format",
        "How log lines look: text or json.",
        usually: LogFormat.usual,
        shown: "text on a terminal, else json"
    )
    static let accessLog = Setting("access-log", "Write a log line for each request.", usually: Switch(true))
    static let record = OptionalSetting<String>(
        "record",
        "A folder to which each session is written, secrets erased; only with 'demo' or 'record-redacted'."
    )
    static let recordRedacted = Setting(
        "record-redacted",
        "Write 'x' for each letter and '0' for each digit of what is recorded, so that people cannot be told from it.",
        usually: Switch(false)
    )
    static let adminHost = Setting(
        "admin-host",
        "The address on which operators get /metrics, /livez and /readyz.",
        usually: "127.0.0.1"
    )
    static let adminPort = OptionalSetting<AdminPort>(
        "admin-port",
        "The port for that; 0 picks a free one, 'off' is none.",
        usually: "9090, unless it is taken"
    )

    /// All of them, in the order in which they are shown, under the titles that the help of 'serve' has.
    static let groups: [(title: String, settings: [any AnySetting])] = [
        (
            "Server",
            [
                host, port, socket, socketMode, tlsCertificate, tlsKey, loops, publicURL, pathPrefix, trustedProxies,
                allowedOrigins, allowedHosts, demo,
            ]
        ),
        (
            "Sessions",
            [sessionIdle, sessionLifetime, maxSessions, maxSessionSize, maxSessionMemory, sessionsPerAddress]
        ),
        (
            "Limits",
            [
                requests, maxBody, maxConnections, connectionsPerAddress, idleTimeout, headerTimeout, bodyTimeout,
                answerTimeout, drain, limitLoopback,
            ]
        ),
        ("Storage", [data, database, auditLog]),
        (
            "Accounts",
            [logins, failedLogins, signups, passwordMin, hashMemory, hashIterations, hashWorkers]
        ),
        ("Observability", [logLevel, logFormat, accessLog, record, recordRedacted, adminHost, adminPort]),
    ]

    /// All of them, in the order in which they are shown.
    static let all = groups.flatMap(\.settings)
}
