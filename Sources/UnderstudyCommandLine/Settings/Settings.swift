import Accounts
import HTMLPages
import MicroHTTP
import Understudy

/// The table of all settings: which values are valid, and the property that each one sets. `settings.txt` has what `--help`, the configuration
/// file and `config` show.
///
/// Those that other code reads by themselves have a name.
enum Settings {
    // MARK: Listening

    static let host = Setting("host", .text, \.server.host)
    static let port = Setting("port", .port, \.server.port)
    static let socket = Setting("socket", ifSet: .text)
    static let socketMode = Setting("socket-mode", .fileMode)
    static let tlsCertificate = Setting("tls-certificate", ifSet: .text)
    static let tlsKey = Setting("tls-key", ifSet: .text)
    static let publicURL = Setting(
        "public-url",
        TextParser(
            "an address with http:// or https:// and a host, such as https://example.com, without a path (see path-prefix)"
        ) { PublicURL($0) }
    )
    static let pathPrefix = Setting(
        "path-prefix",
        ifSet: TextParser("a path such as /understudy, without a / at its end") { PathPrefix($0) }
    )
    static let allowedHosts = Setting("allowed-hosts", ifSet: TextParser { try AllowedHosts($0) })
    static let title = Setting(
        "title",
        ifSet: TextParser("a name of 1 to 64 characters in one line") { name in
            let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            return isPlain && name.contains { !$0.isWhitespace } && name.unicodeScalars.count <= 64 ? name : nil
        }
    )
    static let pages = Setting("pages", ifSet: .onOff)
    static let mcp = Setting("mcp", ifSet: .onOff)
    static let templates = Setting("templates", ifSet: .text, \.pageFolders.templates)
    static let assets = Setting("assets", ifSet: .text, \.pageFolders.assets)
    static let translations = Setting("translations", ifSet: .text, \.translations)

    enum Listening: SettingGroup {
        static let settings: [any AnySetting] = [
            host, port, socket, socketMode, tlsCertificate, tlsKey,
            Setting("loops", .count, default: "\(ServerConfiguration.processors)", \.server.loops),
            publicURL, pathPrefix,
            Setting("trusted-proxies", list: { try TrustedProxies($0) }, empty: .init(), \.server.trustedProxies),
            Setting("allowed-origins", list: { try AllowedOrigins($0) }, empty: .init(), \.service.allowedOrigins),
            allowedHosts, title, pages, templates, assets,
            Setting("image-origins", list: { try ImageOrigins($0) }, empty: .init(), \.imageOrigins),
            translations, mcp,
        ]
    }

    // MARK: Sessions

    static let sessions = Setting("sessions", .choice, \.service.sessionMode)
    static let maxSessionSize = Setting("max-session-size", .bytes.nonZero, \.service.sessions.maximumSize)

    enum Sessions: SettingGroup {
        static let settings: [any AnySetting] = [
            sessions,
            Setting("session-idle", .duration.nonZero, \.service.sessions.idle),
            Setting("session-lifetime", .duration.nonZero, \.service.sessions.lifetime),
            Setting("max-sessions", .count, \.service.sessions.maximum),
            maxSessionSize,
            Setting("max-session-memory", .bytes, \.service.sessions.maximumMemory),
            Setting("sessions-per-address", TextParser.count.orOff, \.service.sessions.maximumPerAddress),
        ]
    }

    // MARK: Limits

    static let drainDelay = Setting("drain-delay", ifSet: .duration)

    enum Limits: SettingGroup {
        static let settings: [any AnySetting] = [
            Setting("requests", TextParser.rate.orOff, \.service.requests),
            Setting("max-body", .bytes.nonZero, \.server.maximumBodySize),
            Setting("max-connections", .count, \.server.maximumConnections),
            Setting("connections-per-address", TextParser.count.orOff, \.server.connectionsPerAddress),
            Setting("idle-timeout", .duration, \.server.idleTimeout),
            Setting("header-timeout", .duration, \.server.headTimeout),
            Setting("body-timeout", .duration, \.server.bodyTimeout),
            Setting("response-timeout", .duration, \.server.responseTimeout),
            Setting("drain", .duration, \.server.drainTimeout),
            drainDelay,
            Setting(flag: "limit-loopback", \.server.limitsLoopback),
        ]
    }

    // MARK: Storage

    static let data = Setting("data", ifSet: .text)
    static let database = Setting("database", ifSet: .text, shownBy: HiddenSecrets.database)
    static let databasePasswordFile = Setting("database-password-file", ifSet: .text)
    static let databaseConnections = Setting("database-connections", .count)
    static let databasePrepared = Setting("database-prepared", .onOff)

    enum Storage: SettingGroup {
        static let settings: [any AnySetting] = [
            data, database, databasePasswordFile, databaseConnections, databasePrepared,
        ]
        static let namesFile = true
    }

    // MARK: Accounts

    /// The limits in the order of ``/Accounts/AccountRateLimits/all``.
    static let rateLimits = AccountRateLimits.all.map { Setting($0.setting, .rate) }

    enum Accounts: SettingGroup {
        static let settings: [any AnySetting] =
            rateLimits + [Setting(flag: "confirm-addresses", \.confirmsAddresses)]
    }

    // MARK: Passwords

    static let passwordMin = Setting("password-min", .number)
    static let leakedPasswords = Setting("leaked-passwords", ifSet: .text)
    static let hashMemory = Setting("hash-memory", .bytes, default: "\(Argon2Cost.default.memory >> 10)MiB")
    static let hashIterations = Setting("hash-iterations", .number, default: "\(Argon2Cost.default.iterations)")
    static let hashWorkers = Setting("hash-workers", .count, default: "\(PasswordHasher.processors)")

    enum Passwords: SettingGroup {
        static let settings: [any AnySetting] = [passwordMin, leakedPasswords, hashMemory, hashIterations, hashWorkers]
    }

    // MARK: Passkeys

    enum Passkeys: SettingGroup {
        static let settings: [any AnySetting] = [
            Setting("related-origins", list: PasskeySite.relatedOrigins, empty: [], \.passkeys.relatedOrigins),
            Setting("apple-apps", list: PasskeySite.appleApps, empty: [], \.passkeys.appleApps),
            Setting("android-apps", list: PasskeySite.androidApps, empty: [], \.passkeys.androidApps),
        ]
    }

    // MARK: Mail

    static let mailURL = Setting("mail-url", ifSet: .text, shownBy: HiddenSecrets.mailURL)
    static let mailFrom = Setting(
        "mail-from",
        ifSet: TextParser("an address such as no-reply@example.com or 'Example <no-reply@example.com>'") {
            try? MailAddress($0)
        }
    )
    static let mailPasswordFile = Setting("mail-password-file", ifSet: .text)
    static let mailAuthorities = Setting("mail-authorities", ifSet: .text)

    enum Mail: SettingGroup {
        static let settings: [any AnySetting] = [mailURL, mailFrom, mailPasswordFile, mailAuthorities]
    }

    // MARK: Observability

    static let logFormat = Setting(
        "log-format",
        .choice,
        default: Terminal.isErrorTerminal ? "text" : "json",
        \.logFormat
    )
    static let adminHost = Setting("admin-host", .text, \.admin.server.host)
    static let adminPort = Setting("admin-port", ifSet: TextParser.port.orOff)
    static let adminTokenFile = Setting("admin-token-file", ifSet: .text)

    enum Observability: SettingGroup {
        static let settings: [any AnySetting] = [
            Setting("log-level", .choice, \.logLevel), logFormat, Setting("access-log", .onOff, \.hasAccessLog),
            Setting("record", ifSet: .text, \.recordings), adminHost, adminPort, adminTokenFile,
        ]
    }

    // MARK: Development

    static let demo = Setting(flag: "demo", \.isDemo)

    enum Development: SettingGroup {
        static let settings: [any AnySetting] = [
            demo, Setting(flag: "dev", \.service.isDevelopment),
            Setting(flag: "test-control", \.service.isResettable),
        ]
    }

    /// All settings in the order of the configuration file, under its titles.
    static let groups: [(title: String, settings: [any AnySetting])] = [
        ("Server", Listening.settings), ("Sessions", Sessions.settings), ("Limits", Limits.settings),
        ("Storage", Storage.settings), ("Accounts", Accounts.settings + Passwords.settings),
        ("Passkeys", Passkeys.settings), ("Mail", Mail.settings), ("Observability", Observability.settings),
        ("Development and tests", Development.settings),
    ]

    /// All settings in the order of the configuration file.
    static let all = groups.flatMap(\.settings)
}
