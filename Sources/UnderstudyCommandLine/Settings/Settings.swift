import Accounts
import HTMLPages
import Logging
import MicroHTTP
import Understudy

/// The table of all settings: what `--help`, the configuration file and `config` show, which values are valid, and the property that each one sets.
///
/// Those that other code reads by themselves have a name.
enum Settings {
    // MARK: Listening

    static let host = Setting("host", .text, default: "127.0.0.1", \.server.host)
        .help("The address or host name to listen on.")
    static let port = Setting("port", .port, default: "8080", \.server.port)
        .help("The port to listen on; 0 picks a free one.")
    static let socket = Setting("socket", .text)
        .help("The path of a Unix domain socket to listen on, instead of host and port.")
    static let socketMode = Setting("socket-mode", .fileMode, default: "0660")
        .help("The permissions of the socket's file, in octal. They decide which users may connect.")
    static let tlsCertificate = Setting("tls-certificate", .text)
        .help(
            "A PEM file with the server's certificate and the intermediate ones. If it is set, the server uses TLS. SIGHUP reloads it."
        )
    static let tlsKey = Setting("tls-key", .text)
        .help("A PEM file with the certificate's private key, without a password. SIGHUP reloads it.")
    static let publicURL = Setting("public-url", .publicURL, default: "http://localhost")
        .help(
            "The address that clients use. Requests for its host are always allowed; with https, cookies are secure, and browsers use https only."
        )
    static let pathPrefix = Setting("path-prefix", .pathPrefix)
        .help("The path below which all pages are, such as /understudy. /livez and /readyz also respond without it.")
    static let allowedHosts = Setting("allowed-hosts", TextParser { try AllowedHosts($0) })
        .reloadable
        .help(
            "The allowed hosts of requests, separated by commas; localhost, IP addresses and the host of public-url are always allowed. A server on a public address checks hosts only if this is set."
        )
    static let demo = Setting(flag: "demo", \.isDemo)
        .help("Serve a demonstration: batman / bruce can log in, there are two products, and nothing is stored.")
    static let pages = Setting("pages", .onOff).reloadable
        .help("Serve the pages as HTML to browsers, with forms; on by default with demo, dev, templates or assets.")
    static let templates = Setting("templates", .text, \.pageFolders.templates).reloadable
        .help(
            "A folder with a Mustache template NAME.mustache for each page NAME that browsers get; it takes precedence over the program's own."
        )
    static let assets = Setting("assets", .text, \.pageFolders.assets).reloadable
        .help(
            "A folder with scripts, styles, pictures and fonts, which are served below /assets/; look.css in it changes the look of all pages."
        )
    static let translations = Setting("translations", .text).reloadable
        .help(
            "A String Catalog (.xcstrings) with the texts of messages in other languages; it takes precedence over the program's own."
        )

    enum Listening: SettingGroup {
        static let settings: [any AnySetting] = [
            host, port, socket, socketMode, tlsCertificate, tlsKey,
            Setting(
                "loops",
                .count,
                default: "\(ServerConfiguration.processors)",
                shownAs: "one per processor",
                \.server.loops
            )
            .help("The number of event loops, each a thread."),
            publicURL, pathPrefix,
            Setting(
                "trusted-proxies",
                TextParser { try TrustedProxies($0) },
                unset: TrustedProxies(),
                \.server.trustedProxies
            )
            .help(
                "The reverse proxies whose X-Forwarded-For headers are trusted: addresses, networks and 'unix', separated by commas."
            ),
            Setting(
                "allowed-origins",
                TextParser { try AllowedOrigins($0) },
                unset: AllowedOrigins(),
                \.service.allowedOrigins
            )
            .reloadable
            .help(
                "The other sites whose scripts may use the service from a browser: origins (https://app.example), separated by commas."
            ),
            allowedHosts, demo,
            Setting(flag: "dev", \.service.isDevelopment)
                .help(
                    "For the development of pages, on loopback addresses only: an inspector, reports of misspelt names, causes of failures, and templates that are read again."
                ),
            pages, templates, assets,
            Setting("image-origins", TextParser { try ImageOrigins($0) }, unset: ImageOrigins(), \.imageOrigins)
                .reloadable
                .help(
                    "The other sites whose pictures pages may show: origins (https://images.example), separated by commas."
                ),
            translations,
        ]
    }

    // MARK: Sessions

    static let sessions = Setting("sessions", .choice, default: "memory", \.service.sessionMode)
        .help(
            "Where sessions are: 'memory' is fastest, and a server saves them when it stops; 'database' stores each event before its response, and several servers can share the sessions."
        )
    static let maxSessionSize = Setting(
        "max-session-size",
        TextParser.bytes.nonZero,
        default: "64KiB",
        \.service.sessions.maximumSize
    ).reloadable
        .help("The maximum size of a session; an event that would exceed it is rejected.")

    enum Sessions: SettingGroup {
        static let settings: [any AnySetting] = [
            sessions,
            Setting("session-idle", TextParser.duration.nonZero, default: "30m", \.service.sessions.idle).reloadable
                .help("The time after which an unused session expires."),
            Setting("session-lifetime", TextParser.duration.nonZero, default: "12h", \.service.sessions.lifetime)
                .reloadable
                .help("The time after which every session expires."),
            Setting("max-sessions", .count, default: "100000", \.service.sessions.maximum).reloadable
                .help(
                    "The maximum number of sessions; above it, the one that has been unused longest ends, first among those without a logged-in user."
                ),
            maxSessionSize,
            Setting("max-session-memory", .bytes, default: "256MiB", \.service.sessions.maximumMemory)
                .reloadable
                .help("The maximum size of all sessions together; above it, sessions end as with max-sessions."),
            Setting(
                "sessions-per-address",
                TextParser.count.orOff,
                default: "1000",
                \.service.sessions.maximumPerAddress
            ).reloadable
                .help(
                    "The maximum number of sessions without a logged-in user from one address, or 'off'; above it, the oldest ends."
                ),
        ]
    }

    // MARK: Limits

    static let drainDelay = Setting("drain-delay", .duration, shownAs: "5s under systemd, else 0s")
        .help(
            "The time before the drain in which a stopping server still accepts requests, while /readyz is 503, so that load balancers leave."
        )

    enum Limits: SettingGroup {
        static let settings: [any AnySetting] = [
            Setting("requests", TextParser.rate.orOff, default: "1200/1m", \.service.requests).reloadable
                .help("The maximum number of requests from one address, as COUNT/TIME, or 'off'."),
            Setting("max-body", TextParser.bytes.nonZero, default: "64KiB", \.server.maximumBodySize).reloadable
                .help("The maximum size of a request body."),
            Setting("max-connections", .count, default: "16384", \.server.maximumConnections)
                .help("The maximum number of connections at the same time; further clients wait."),
            Setting("connections-per-address", TextParser.count.orOff, default: "100", \.server.connectionsPerAddress)
                .reloadable
                .help(
                    "The maximum number of connections from one address at the same time, or 'off'; further ones are closed."
                ),
            Setting("idle-timeout", .duration, default: "60s", \.server.idleTimeout)
                .help("The time after which an idle connection is closed."),
            Setting("header-timeout", .duration, default: "15s", \.server.headTimeout).reloadable
                .help("The time in which the header of a request must arrive, counted from its first byte."),
            Setting("body-timeout", .duration, default: "30s", \.server.bodyTimeout).reloadable
                .help("The time in which the body of a request must arrive."),
            Setting("response-timeout", .duration, default: "30s", \.server.responseTimeout).reloadable
                .help("The time after which the client of an unfinished event gets 504."),
            Setting("drain", .duration, default: "10s", \.server.drainTimeout)
                .help("The time that a stopping server gives to requests that it has accepted."),
            drainDelay,
            Setting(flag: "limit-loopback", \.server.limitsLoopback).reloadable
                .help("Apply the limits for addresses to this machine's own addresses as well."),
        ]
    }

    // MARK: Storage

    static var data: Setting<String?> {
        let name = Application.current.identifier
        let folders = "$STATE_DIRECTORY, $XDG_DATA_HOME/\(name) or ~/.local/share/\(name)"
        return Setting("data", .text, shownAs: "\(folders); /var/lib/\(name) for the user whose home it is")
            .unusedByDemo
            .help("The folder for data.")
    }
    static let database = Setting("database", .text, shownAs: "understudy.sqlite in the data folder").unusedByDemo
        .hidingSecrets(HiddenSecrets.database)
        .help(
            "The database with accounts, products and sessions: a PostgreSQL URI (postgresql://USER@HOST/DATABASE), or the path of an SQLite file."
        )
    static let databasePasswordFile = Setting("database-password-file", .text).unusedByDemo
        .help(
            "A file whose first line is the password for PostgreSQL; otherwise, the URI, PGPASSWORD or ~/.pgpass can contain it."
        )
    static let databaseConnections = Setting("database-connections", .count, default: "10").unusedByDemo
        .help("The maximum number of connections to PostgreSQL.")
    static let databasePrepared = Setting("database-prepared", .onOff, default: "on").unusedByDemo
        .help("Prepare the statements for PostgreSQL. Switch it off behind PgBouncer in transaction mode.")

    enum Storage: SettingGroup {
        static var settings: [any AnySetting] {
            [data, database, databasePasswordFile, databaseConnections, databasePrepared]
        }
    }

    // MARK: Accounts

    static let logins = Setting("logins", .rate, default: "300/10m").reloadable
        .help("The maximum number of logins from one address, as COUNT/TIME, successful ones included.")
    static let failedLogins = Setting("failed-logins", .rate, default: "30/10m").reloadable
        .help("The maximum number of failed logins from one address, as COUNT/TIME.")
    static let signups = Setting("signups", .rate, default: "10/1h").reloadable
        .help("The maximum number of sign-ups from one address, as COUNT/TIME.")
    static let codes = Setting("codes", .rate, default: "10/10m").reloadable
        .help("The maximum number of codes that are sent by email for one address of clients, as COUNT/TIME.")

    enum Accounts: SettingGroup {
        static let settings: [any AnySetting] = [
            logins, failedLogins, signups, codes,
            Setting(flag: "confirm-addresses", \.confirmsAddresses)
                .help(
                    "Let an account work only after its email address has been confirmed with a code; requires mail-url, demo or test-control."
                ),
        ]
    }

    // MARK: Passwords

    static let passwordMin = Setting("password-min", .number, default: "15").unusedByDemo
        .help("The minimum number of characters in a password, from 8 to 128.")
    static let leakedPasswords = Setting("leaked-passwords", .text).unusedByDemo
        .help(
            "A file with the SHA-1 hashes of leaked passwords, sorted, as the downloader of Have I Been Pwned writes it; these passwords are rejected."
        )
    static let hashMemory = Setting("hash-memory", .bytes, default: "\(Argon2Cost.default.memory >> 10)MiB")
        .help("The memory for hashing a password.")
    static let hashIterations = Setting("hash-iterations", .number, default: "\(Argon2Cost.default.iterations)")
        .help("The number of passes over that memory for each password.")
    static let hashWorkers = Setting(
        "hash-workers",
        .count,
        default: "\(PasswordHasher.processors)",
        shownAs: "one per processor"
    )
    .help("The number of passwords that are hashed at the same time.")

    enum Passwords: SettingGroup {
        static let settings: [any AnySetting] = [
            passwordMin, leakedPasswords, hashMemory, hashIterations, hashWorkers,
        ]
    }

    // MARK: Passkeys

    enum Passkeys: SettingGroup {
        static let settings: [any AnySetting] = [
            Setting(
                "related-origins",
                TextParser { try PasskeySite.relatedOrigins($0) },
                unset: [],
                \.passkeys.relatedOrigins
            )
            .help(
                "Other sites whose pages may use the passkeys of public-url: origins (https://shop.example.de), separated by commas."
            ),
            Setting("apple-apps", TextParser { try PasskeySite.appleApps($0) }, unset: [], \.passkeys.appleApps)
                .help(
                    "The iOS apps that may use the passkeys of public-url: teams and bundles (A1B2C3D4E5.com.example.shop), separated by commas."
                ),
            Setting("android-apps", TextParser { try PasskeySite.androidApps($0) }, unset: [], \.passkeys.androidApps)
                .help(
                    "The Android apps that may use the passkeys of public-url: packages and SHA-256 fingerprints (com.example.shop=14:6D:…), separated by commas."
                ),
        ]
    }

    // MARK: Mail

    static let mailURL = Setting(
        "mail-url",
        .text,
        shownAs: "none; with demo or test-control, mails stay in memory"
    ).hidingSecrets(HiddenSecrets.mailURL)
        .help(
            "The mail server for codes and notices: smtp://USER@HOST, smtps://USER@HOST, or smtp://localhost:25 for one of this machine. Without one, addresses are not confirmed, and passwords cannot be recovered."
        )
    static let mailFrom = Setting("mail-from", .mailAddress)
        .help("The sender of mails, such as 'Example <no-reply@example.com>'; required by mail-url.")
    static let mailPasswordFile = Setting("mail-password-file", .text)
        .help("A file whose first line is the password for the mail server; otherwise, mail-url can contain it.")
    static let mailAuthorities = Setting("mail-authorities", .text)
        .help(
            "A PEM file with the certificates of the authorities that are trusted for the mail server, instead of those of the system."
        )

    enum Mail: SettingGroup {
        static let settings: [any AnySetting] = [
            mailURL, mailFrom, mailPasswordFile, mailAuthorities,
        ]
    }

    // MARK: Observability

    static let logFormat = Setting(
        "log-format",
        .choice,
        default: Terminal.isErrorTerminal ? "text" : "json",
        shownAs: "text on a terminal, else json",
        \.logFormat
    )
    .help("The format of log lines: text or json.")
    static let adminHost = Setting("admin-host", .text, default: "127.0.0.1", \.adminHost)
        .help("The address for operators, with /metrics, /status, /livez and /readyz.")
    static let adminPort = Setting("admin-port", TextParser.port.orOff, shownAs: "9090, unless it is taken")
        .help("The port for operators; 0 picks a free one, 'off' opens none.")
    static let adminTokenFile = Setting("admin-token-file", .text, shownAs: "no pages")
        .help("A file with a token of at least 20 characters, with which operators log in to the pages on their port.")

    enum Observability: SettingGroup {
        static let settings: [any AnySetting] = [
            Setting("log-level", .choice, default: "info", \.logLevel).reloadable
                .help("The lowest level to log: trace, debug, info, notice, warning, error or critical."),
            logFormat,
            Setting("access-log", .onOff, default: "on", \.hasAccessLog).reloadable
                .help("Write a log line for each request."),
            Setting("record", .text, \.recordings)
                .help(
                    "A folder in which each session is recorded, without secrets; requires sessions: memory. Unless demo or dev is set, each letter is replaced by 'x' and each digit by '0'."
                ),
            adminHost, adminPort, adminTokenFile,
            Setting(flag: "test-control", \.service.isResettable)
                .help(
                    "For tests of clients: endpoints below /test on the port for operators advance the time, save and reset the data, and let collaborators fail. Requires admin-port, and loopback addresses."
                ),
        ]
    }

    /// All settings in the order of the configuration file, under its titles.
    static var groups: [(title: String, settings: [any AnySetting])] {
        [
            ("Server", Listening.settings), ("Sessions", Sessions.settings), ("Limits", Limits.settings),
            ("Storage", Storage.settings), ("Accounts", Accounts.settings + Passwords.settings),
            ("Passkeys", Passkeys.settings), ("Mail", Mail.settings), ("Observability", Observability.settings),
        ]
    }

    /// All settings in the order of the configuration file.
    static var all: [any AnySetting] { groups.flatMap(\.settings) }
}
