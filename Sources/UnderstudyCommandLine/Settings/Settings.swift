import Accounts
import Logging
import HTTPMessages
import MicroHTTP
import Understudy

/// All settings.
enum Settings {
    // MARK: Where to listen

    static let host = Setting("host", "The address or host name to listen on.", default: "127.0.0.1")
    static let port = Setting<UInt16>("port", "The port to listen on; 0 picks a free one.", default: 8080)
    static let socket = OptionalSetting<String>(
        "socket",
        "The path of a Unix domain socket to listen on, instead of host and port."
    )
    static let socketMode = Setting<FileMode>(
        "socket-mode",
        "The permissions of the socket's file, in octal. They decide which users may connect.",
        default: "0660"
    )
    static let loops = Setting(
        "loops",
        "The number of event loops, each a thread.",
        default: Count(ServerConfiguration.processors),
        shownAs: "one per processor"
    )
    static let tlsCertificate = OptionalSetting<String>(
        "tls-certificate",
        "A PEM file with the server's certificate and the intermediate ones. If it is set, the server uses TLS. SIGHUP reloads it."
    )
    static let tlsKey = OptionalSetting<String>(
        "tls-key",
        "A PEM file with the certificate's private key, without a password. SIGHUP reloads it."
    )
    static let publicURL = Setting<PublicURL>(
        "public-url",
        "The address that clients use. Requests for its host are always allowed; with https, cookies are secure, and browsers use https only.",
        default: "http://localhost"
    )

    static let pathPrefix = OptionalSetting<PathPrefix>(
        "path-prefix",
        "The path below which all pages are, such as /understudy. /livez and /readyz also respond without it."
    )

    static let trustedProxies = OptionalSetting<String>(
        "trusted-proxies",
        "The reverse proxies whose X-Forwarded-For headers are trusted: addresses, networks and 'unix', separated by commas."
    )

    static let allowedOrigins = OptionalSetting<String>(
        "allowed-origins",
        "The other sites whose scripts may use the service from a browser: origins (https://app.example), separated by commas."
    ).reloadable

    static let allowedHosts = OptionalSetting<String>(
        "allowed-hosts",
        "The allowed hosts of requests, separated by commas; localhost, IP addresses and the host of public-url are always allowed. A server on a public address checks hosts only if this is set."
    ).reloadable

    // MARK: What is served

    static let demo = Setting(
        "demo",
        "Serve a demonstration: batman / bruce can log in, there are two products, and nothing is stored.",
        default: OnOff(false)
    )

    static let dev = Setting(
        "dev",
        "For the development of pages, on loopback addresses only: an inspector, reports of misspelt names, causes of failures, and templates that are read again.",
        default: OnOff(false)
    )

    static let pages = OptionalSetting<OnOff>(
        "pages",
        "Serve the pages as HTML to browsers, with forms; on by default with demo, dev, templates or assets."
    ).reloadable

    static let templates = OptionalSetting<String>(
        "templates",
        "A folder with a Mustache template NAME.mustache for each page NAME that browsers get; it takes precedence over the program's own."
    ).reloadable

    static let assets = OptionalSetting<String>(
        "assets",
        "A folder with scripts, styles, pictures and fonts, which are served below /assets/; look.css in it changes the look of all pages."
    ).reloadable

    static let imageOrigins = OptionalSetting<String>(
        "image-origins",
        "The other sites whose pictures pages may show: origins (https://images.example), separated by commas."
    ).reloadable

    static let translations = OptionalSetting<String>(
        "translations",
        "A String Catalog (.xcstrings) with the texts of messages in other languages; it takes precedence over the program's own."
    ).reloadable

    // MARK: Sessions

    static let sessions = Setting(
        "sessions",
        "Where sessions are: 'memory' is fastest, and a server saves them when it stops; 'database' stores each event before its response, and several servers can share the sessions.",
        default: SessionMode.memory,
        shownAs: "memory"
    )
    static let sessionIdle = Setting<TimeSpan>(
        "session-idle",
        "The time after which an unused session expires.",
        default: "30m"
    ).reloadable
    static let sessionLifetime = Setting<TimeSpan>(
        "session-lifetime",
        "The time after which every session expires.",
        default: "12h"
    ).reloadable
    static let maxSessions = Setting<Count>(
        "max-sessions",
        "The maximum number of sessions; above it, the one that has been unused longest ends, first among those without a logged-in user.",
        default: "100000"
    ).reloadable
    static let maxSessionSize = Setting<ByteCount>(
        "max-session-size",
        "The maximum size of a session; an event that would exceed it is rejected.",
        default: "64KiB"
    ).reloadable
    static let maxSessionMemory = Setting<ByteCount>(
        "max-session-memory",
        "The maximum size of all sessions together; above it, sessions end as with max-sessions.",
        default: "256MiB"
    ).reloadable
    static let sessionsPerAddress = Setting<ValueOrOff<Count>>(
        "sessions-per-address",
        "The maximum number of sessions without a logged-in user from one address, or 'off'; above it, the oldest ends.",
        default: "1000"
    ).reloadable

    // MARK: Limits

    static let maxBody = Setting<ByteCount>(
        "max-body",
        "The maximum size of a request body.",
        default: "64KiB"
    ).reloadable
    static let requests = Setting<ValueOrOff<RateSetting>>(
        "requests",
        "The maximum number of requests from one address, as COUNT/TIME, or 'off'.",
        default: "1200/1m"
    ).reloadable
    static let maxConnections = Setting<Count>(
        "max-connections",
        "The maximum number of connections at the same time; further clients wait.",
        default: "16384"
    )
    static let connectionsPerAddress = Setting<ValueOrOff<Count>>(
        "connections-per-address",
        "The maximum number of connections from one address at the same time, or 'off'; further ones are closed.",
        default: "100"
    ).reloadable
    static let idleTimeout = Setting<TimeSpan>(
        "idle-timeout",
        "The time after which an idle connection is closed.",
        default: "60s"
    )
    static let headerTimeout = Setting<TimeSpan>(
        "header-timeout",
        "The time in which the header of a request must arrive, counted from its first byte.",
        default: "15s"
    ).reloadable
    static let bodyTimeout = Setting<TimeSpan>(
        "body-timeout",
        "The time in which the body of a request must arrive.",
        default: "30s"
    ).reloadable
    static let responseTimeout = Setting<TimeSpan>(
        "response-timeout",
        "The time after which the client of an unfinished event gets 504.",
        default: "30s"
    ).reloadable
    static let drain = Setting<TimeSpan>(
        "drain",
        "The time that a stopping server gives to requests that it has accepted.",
        default: "10s"
    )
    static let drainDelay = OptionalSetting<TimeSpan>(
        "drain-delay",
        "The time before the drain in which a stopping server still accepts requests, while /readyz is 503, so that load balancers leave.",
        shownAs: "5s under systemd, else 0s"
    )
    static let limitLoopback = Setting(
        "limit-loopback",
        "Apply the limits for addresses to this machine's own addresses as well.",
        default: OnOff(false)
    ).reloadable

    // MARK: Storage

    static var data: OptionalSetting<String> {
        let name = Application.current.identifier
        return OptionalSetting(
            "data",
            "The folder for data.",
            shownAs:
                "$STATE_DIRECTORY, $XDG_DATA_HOME/\(name) or ~/.local/share/\(name); /var/lib/\(name) for the user whose home it is"
        )
    }
    static let database = OptionalSetting<DatabaseName>(
        "database",
        "The database with accounts, products and sessions: a PostgreSQL URI (postgresql://USER@HOST/DATABASE), or the path of an SQLite file.",
        shownAs: "understudy.sqlite in the data folder"
    )
    static let databasePasswordFile = OptionalSetting<String>(
        "database-password-file",
        "A file whose first line is the password for PostgreSQL; otherwise, the URI, PGPASSWORD or ~/.pgpass can contain it."
    )
    static let databaseConnections = Setting<Count>(
        "database-connections",
        "The maximum number of connections to PostgreSQL.",
        default: "10"
    )
    static let databasePrepared = Setting(
        "database-prepared",
        "Prepare the statements for PostgreSQL. Switch it off behind PgBouncer in transaction mode.",
        default: OnOff(true)
    )
    // MARK: Accounts

    static let logins = Setting<RateSetting>(
        "logins",
        "The maximum number of logins from one address, as COUNT/TIME, successful ones included.",
        default: "300/10m"
    ).reloadable
    static let failedLogins = Setting<RateSetting>(
        "failed-logins",
        "The maximum number of failed logins from one address, as COUNT/TIME.",
        default: "30/10m"
    ).reloadable
    static let signups = Setting<RateSetting>(
        "signups",
        "The maximum number of sign-ups from one address, as COUNT/TIME.",
        default: "10/1h"
    ).reloadable

    static let codes = Setting<RateSetting>(
        "codes",
        "The maximum number of codes that are sent by email for one address of clients, as COUNT/TIME.",
        default: "10/10m"
    ).reloadable
    static let confirmAddresses = Setting(
        "confirm-addresses",
        "Let an account work only after its email address has been confirmed with a code; requires mail-url, demo or test-control.",
        default: OnOff(false)
    )

    // MARK: Passkeys

    static let relatedOrigins = OptionalSetting<String>(
        "related-origins",
        "Other sites whose pages may use the passkeys of public-url: origins (https://shop.example.de), separated by commas."
    )
    static let appleApps = OptionalSetting<String>(
        "apple-apps",
        "The iOS apps that may use the passkeys of public-url: teams and bundles (A1B2C3D4E5.com.example.shop), separated by commas."
    )
    static let androidApps = OptionalSetting<String>(
        "android-apps",
        "The Android apps that may use the passkeys of public-url: packages and SHA-256 fingerprints (com.example.shop=14:6D:…), separated by commas."
    )

    // MARK: Mail

    static let mailURL = OptionalSetting<MailURLSetting>(
        "mail-url",
        "The mail server for codes and notices: smtp://USER@HOST, smtps://USER@HOST, or smtp://localhost:25 for one of this machine. Without one, addresses are not confirmed, and passwords cannot be recovered.",
        shownAs: "none; with demo or test-control, mails stay in memory"
    )
    static let mailFrom = OptionalSetting<MailFromSetting>(
        "mail-from",
        "The sender of mails, such as 'Example <no-reply@example.com>'; required by mail-url."
    )
    static let mailPasswordFile = OptionalSetting<String>(
        "mail-password-file",
        "A file whose first line is the password for the mail server; otherwise, mail-url can contain it."
    )
    static let mailAuthorities = OptionalSetting<String>(
        "mail-authorities",
        "A PEM file with the certificates of the authorities that are trusted for the mail server, instead of those of the system."
    )

    // MARK: Passwords

    static let passwordMin = Setting(
        "password-min",
        "The minimum number of characters in a password, from 8 to 128.",
        default: 15
    )
    static let leakedPasswords = OptionalSetting<String>(
        "leaked-passwords",
        "A file with the SHA-1 hashes of leaked passwords, sorted, as the downloader of Have I Been Pwned writes it; these passwords are rejected."
    )
    static let hashMemory = Setting<ByteCount>(
        "hash-memory",
        "The memory for hashing a password.",
        default: "\(Argon2Cost.default.memory >> 10)MiB"
    )
    static let hashIterations = Setting(
        "hash-iterations",
        "The number of passes over that memory for each password.",
        default: Argon2Cost.default.iterations
    )
    static let hashWorkers = Setting(
        "hash-workers",
        "The number of passwords that are hashed at the same time.",
        default: Count(PasswordHasher.processors),
        shownAs: "one per processor"
    )

    // MARK: Observability

    static let logLevel = Setting(
        "log-level",
        "The lowest level to log: trace, debug, info, notice, warning, error or critical.",
        default: Logger.Level.info,
        shownAs: "info"
    ).reloadable

    static let logFormat = Setting(
        "log-format",
        "The format of log lines: text or json.",
        default: Terminal.isErrorTerminal ? LogFormat.text : .json,
        shownAs: "text on a terminal, else json"
    )
    static let accessLog = Setting("access-log", "Write a log line for each request.", default: OnOff(true)).reloadable
    static let record = OptionalSetting<String>(
        "record",
        "A folder in which each session is recorded, without secrets. Unless demo or dev is set, each letter is replaced by 'x' and each digit by '0'."
    )
    static let adminHost = Setting(
        "admin-host",
        "The address for operators, with /metrics, /status, /livez and /readyz.",
        default: "127.0.0.1"
    )
    static let adminPort = OptionalSetting<ValueOrOff<UInt16>>(
        "admin-port",
        "The port for operators; 0 picks a free one, 'off' opens none.",
        shownAs: "9090, unless it is taken"
    )

    static let adminTokenFile = OptionalSetting<String>(
        "admin-token-file",
        "A file with a token of at least 20 characters, with which operators log in to the pages on their port.",
        shownAs: "no pages"
    )

    static let testControl = Setting(
        "test-control",
        "For tests of clients: endpoints below /test on the port for operators advance the time, save and reset the data, and let collaborators fail. Requires admin-port, and loopback addresses.",
        default: OnOff(false)
    )

    /// All settings in the order of the help text of `serve`, under its titles.
    static var groups: [(title: String, settings: [any AnySetting])] {
        [
            (
                "Server",
                [
                    host, port, socket, socketMode, tlsCertificate, tlsKey, loops, publicURL, pathPrefix,
                    trustedProxies,
                    allowedOrigins, allowedHosts, demo, dev, pages, templates, assets, imageOrigins,
                    translations,
                ]
            ),
            (
                "Sessions",
                [
                    sessions, sessionIdle, sessionLifetime, maxSessions, maxSessionSize, maxSessionMemory,
                    sessionsPerAddress,
                ]
            ),
            (
                "Limits",
                [
                    requests, maxBody, maxConnections, connectionsPerAddress, idleTimeout, headerTimeout, bodyTimeout,
                    responseTimeout, drain, drainDelay, limitLoopback,
                ]
            ),
            ("Storage", [data, database, databasePasswordFile, databaseConnections, databasePrepared]),
            (
                "Accounts",
                [
                    logins, failedLogins, signups, codes, confirmAddresses, passwordMin, leakedPasswords, hashMemory,
                    hashIterations, hashWorkers,
                ]
            ),
            ("Passkeys", [relatedOrigins, appleApps, androidApps]),
            ("Mail", [mailURL, mailFrom, mailPasswordFile, mailAuthorities]),
            (
                "Observability",
                [
                    logLevel, logFormat, accessLog, record, adminHost, adminPort, adminTokenFile, testControl,
                ]
            ),
        ]
    }

    /// All settings in the order of the help text of `serve`.
    static var all: [any AnySetting] { groups.flatMap(\.settings) }
}
