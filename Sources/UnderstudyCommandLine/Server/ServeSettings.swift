import Accounts
import AccountsMail
import Addresses
import ArgumentParser
import BusinessLogic
import HTMLPages
import Logging
import HTTPMessages
import MicroHTTP
import RateLimiting
import Understudy
import WebAuthn

/// The values of all settings of `serve`. Nothing has been opened yet.
struct ServeSettings {
    let isDemo: Bool
    /// Whether the server is for the development of pages.
    let isDevelopment: Bool
    let server: ServerConfiguration
    /// How long a stopping server serves before it drains.
    let drainDelay: Duration
    /// The files of the certificate and its key; `nil` without TLS.
    let tls: TLSFiles?
    private(set) var service: ServiceConfiguration
    /// Whether browsers get HTML.
    let servesHTML: Bool
    /// The folders with templates and static files.
    let pageFolders: PageFolders
    /// The other sites whose pictures pages may show.
    let imageOrigins: ImageOrigins
    /// The String Catalog with translations; `nil` for only those of the program.
    let translations: CatalogFile?
    let accounts: AccountSettings
    let passkeys: PasskeySite
    let mail: MailSettings
    let admin: AdminSettings
    /// Whether the port for operators has the endpoints for tests.
    let isTestControlled: Bool
    let log: LogSettings
    /// How sessions are recorded; `nil` if they are not.
    let recording: RecordingSettings?

    /// Reads the settings from options, environment and configuration file.
    ///
    /// - Parameter systemd: passes listening sockets. The server uses them instead of any other address.
    /// - Throws: `ValidationError` if a value is invalid, or two values contradict each other.
    init(_ options: some ServeOptions, _ settings: SettingsReader, systemd: Systemd? = nil) throws {
        var server = try Self.server(options.listening, options.limits, settings)
        if let socket = systemd?.socket { server.address = .handedOver(descriptor: socket) }
        self.server = server
        drainDelay =
            try settings.value(options.limits.drainDelay, Settings.drainDelay)?.duration
            ?? .seconds(systemd?.notifier == nil ? 0 : 5)
        tls = try TLSFiles(options.listening, settings)
        var service = try Self.service(options, settings)
        if tls != nil { service.isPublicAddressSecure = true }
        translations = try settings.value(options.listening.translations, Settings.translations)
            .map { CatalogFile(path: $0, setting: Settings.translations) }
        isDemo = try settings.value(options.listening.demo, Settings.demo)
        isDevelopment = try settings.value(options.listening.dev, Settings.dev)
        pageFolders = PageFolders(
            templates: try settings.value(options.listening.templates, Settings.templates),
            assets: try settings.value(options.listening.assets, Settings.assets)
        )
        imageOrigins =
            try Self.list(options.listening.imageOrigins, Settings.imageOrigins, settings) { try ImageOrigins($0) }
            ?? ImageOrigins()
        let folder = pageFolders.templates != nil ? "templates" : pageFolders.assets != nil ? "assets" : nil
        servesHTML =
            try settings.value(options.listening.pages, Settings.pages)?.isOn
            ?? (isDemo || isDevelopment || folder != nil)
        if let folder, !servesHTML {
            throw ValidationError("'--\(folder)' is for the pages as HTML: it cannot be combined with '--pages off'.")
        }
        accounts = try AccountSettings(options, settings, isDemo: isDemo)
        passkeys = try Self.passkeys(options.passkeys, settings)
        if let origin = service.publicOrigin, let url = PublicURL(argument: origin) {
            service.wellKnown = passkeys.files(origin: url.browserOrigin)
            if !service.wellKnown.isEmpty, passkeys.relyingParty(url, title: "") == nil {
                throw ValidationError(
                    "There are no passkeys for '\(origin)', which sites and apps could share: it needs a domain and HTTPS."
                )
            }
        } else if !passkeys.files(origin: "").isEmpty {
            throw ValidationError("Sites and apps share the passkeys of '--public-url': set it.")
        }
        admin = try AdminSettings(
            options.observability,
            hostPolicy: server.hostPolicy,
            socket: systemd?.operatorsSocket,
            settings
        )
        isTestControlled = try settings.value(options.observability.testControl, Settings.testControl)
        mail = try MailSettings(options, settings, isForTests: isDemo || isTestControlled)
        let publicURL = try settings.value(options.listening.publicURL, Settings.publicURL)
        if isTestControlled {
            try Self.requireTestServer(server, admin, publicURL)
            service.isResettable = true
        }
        if isDevelopment {
            try Self.requireDevelopmentServer(server, publicURL)
            service.isDevelopment = true
        }
        self.service = service
        log = try LogSettings(options.observability, settings)
        recording = try RecordingSettings(options.observability, settings, isForTests: isDemo || isDevelopment)
        if service.sessionMode == .database {
            guard !isDemo else {
                throw ValidationError(
                    "'--sessions database' needs a database, and '--demo' has none: give one or the other."
                )
            }
            guard recording == nil else {
                throw ValidationError(
                    "'--record' needs '--sessions memory': other servers can handle events of a session."
                )
            }
        }
    }

    /// The translations of the program, and those of the catalog that the settings name.
    ///
    /// - Throws: ``CommandError`` if the catalog cannot be used; what creating the pages throws.
    func allTranslations() throws -> Translations {
        guard let translations else { return service.translations }
        return service.translations.merging(try translations.read(for: .ofProgram()))
    }

    /// The pages for browsers, with the templates and static files; `nil` if browsers get JSON.
    ///
    /// - Parameter translations: the texts of the pages.
    /// - Throws: `HTMLTemplateError` if a template cannot be used; ``CommandError`` or `HTMLFileError` if a static file or a folder cannot be used.
    func htmlPages(_ translations: Translations) throws -> HTMLPages? {
        guard servesHTML else { return nil }
        return try namingFolders {
            try HTMLPages(
                title: service.title,
                templates: Application.current.templates,
                assets: Application.current.assets,
                folders: pageFolders,
                imageOrigins: imageOrigins,
                labels: translations,
                below: service.pathPrefix,
                isDemo: isDemo,
                isDevelopment: isDevelopment,
                isPublicAddressSecure: service.isPublicAddressSecure
            )
        }
    }

    /// Runs `body`. Its error about a folder, or about a file in it, then names the setting of the folder.
    private func namingFolders<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as HTMLFileError {
            let folders = [
                (Settings.templates.name, pageFolders.templates), (Settings.assets.name, pageFolders.assets),
            ]
            let named = folders.filter { _, folder in folder.map(error.path.hasPrefix) ?? false }
            // One folder can be in the other.
            let setting = named.max { ($0.1?.count ?? 0) < ($1.1?.count ?? 0) }?.0
            guard let setting else { throw error }
            throw CommandError("'\(error.path)' of '\(setting)' cannot be used: \(error.reason)")
        }
    }

    /// The site to which passkeys are bound; `nil` if there can be none, because it has no domain.
    ///
    /// - Parameter address: the address at which the server listens. Without ``public-url``, passkeys are for this machine.
    func relyingParty(at address: String) -> RelyingParty? {
        let local = PublicURL(argument: address).map { "\($0.isSecure ? "https" : "http")://localhost\($0.port)" }
        guard let url = PublicURL(argument: service.publicOrigin ?? local ?? "") else { return nil }
        return passkeys.relyingParty(url, title: service.title)
    }

    /// Writes the mails to users; `nil` if none are sent.
    ///
    /// - Parameter translations: the texts of the pages.
    /// - Throws: `HTMLTemplateError` if a template cannot be used; ``CommandError`` if the folder with templates cannot be used.
    func mailWriter(_ translations: Translations) throws -> TemplatedMails? {
        guard mail.destination != nil else { return nil }
        let templates = try namingFolders {
            try MailTemplates(
                title: service.title,
                templates: Application.current.templates,
                folder: pageFolders.templates,
                labels: translations
            )
        }
        return TemplatedMails(templates, address: service.publicOrigin.map { "\($0)\(service.pathPrefix)" })
    }

    /// Sends the mails; `nil` if none are sent.
    ///
    /// - Throws: `MailSettingError` if the mailer cannot start.
    func mailer(clock: any WallClock) throws -> (any Mailer)? {
        switch mail.destination {
        case .server(let server, let sender): try server.mailer(from: sender, clock: clock)
        case .memory: MemoryMailer(prints: isDemo && !isTestControlled && log.format == .text)
        case nil: nil
        }
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
        server.trustedProxies =
            try Self.list(listening.trustedProxies, Settings.trustedProxies, settings) { try TrustedProxies($0) }
            ?? TrustedProxies()
        server.hostPolicy = try Self.hostPolicy(listening, settings)
        server.maximumBodySize = try settings.value(limits.maxBody, Settings.maxBody).bytes
        server.maximumConnections = try settings.value(limits.maxConnections, Settings.maxConnections).number
        server.connectionsPerAddress =
            try settings.value(limits.connectionsPerAddress, Settings.connectionsPerAddress).value?.number
        server.limitsLoopback = try settings.value(limits.limitLoopback, Settings.limitLoopback)
        server.idleTimeout = try settings.value(limits.idleTimeout, Settings.idleTimeout).duration
        server.headTimeout = try settings.value(limits.headerTimeout, Settings.headerTimeout).duration
        server.bodyTimeout = try settings.value(limits.bodyTimeout, Settings.bodyTimeout).duration
        server.responseTimeout = try settings.value(limits.responseTimeout, Settings.responseTimeout).duration
        server.drainTimeout = try settings.value(limits.drain, Settings.drain).duration
        return server
    }

    private static func hostPolicy(_ listening: ListeningOptions, _ settings: SettingsReader) throws -> HostPolicy {
        let list = try Self.list(listening.allowedHosts, Settings.allowedHosts, settings) { try AllowedHosts($0) }
        var hosts = list ?? AllowedHosts()
        try hosts.allow(settings.value(listening.publicURL, Settings.publicURL).host)
        return list == nil ? .loopbackOnly(hosts) : .always(hosts)
    }

    private static func passkeys(_ options: PasskeyOptions, _ settings: SettingsReader) throws -> PasskeySite {
        PasskeySite(
            relatedOrigins: try list(options.relatedOrigins, Settings.relatedOrigins, settings) {
                try PasskeySite.relatedOrigins($0)
            } ?? [],
            appleApps: try list(options.appleApps, Settings.appleApps, settings) {
                try PasskeySite.appleApps($0)
            } ?? [],
            androidApps: try list(options.androidApps, Settings.androidApps, settings) {
                try PasskeySite.androidApps($0)
            } ?? []
        )
    }

    /// The value of a setting that is a list; `nil` if the setting is not set.
    private static func list<List>(
        _ option: String?,
        _ setting: OptionalSetting<String>,
        _ settings: SettingsReader,
        _ parse: (String) throws -> List
    ) throws -> List? {
        guard let text = try settings.value(option, setting) else { return nil }
        do {
            return try parse(text)
        } catch {
            throw ValidationError("The value '\(text)' is invalid for '\(setting.name)': \(error).")
        }
    }

    /// Throws unless only this machine can reach the server, and the port for operators is certain to be open.
    private static func requireTestServer(
        _ server: ServerConfiguration,
        _ admin: AdminSettings,
        _ publicURL: PublicURL
    ) throws {
        guard admin.isRequired, admin.port != nil || admin.socket != nil else {
            throw ValidationError(
                "'--test-control' adds endpoints to the port for operators: set it with '--admin-port', for instance to 0."
            )
        }
        guard server.isOnlyForThisMachine, admin.socket == nil, IPAddress.isLoopback(host: admin.host) else {
            throw ValidationError(
                """
                '--test-control' lets a client reset the server: '--host' and '--admin-host' must be loopback addresses, such \
                as 127.0.0.1, or '--socket' a Unix domain socket, and systemd must pass no socket.
                """
            )
        }
        guard publicURL.origin == Settings.publicURL.defaultValue.origin else {
            throw ValidationError(
                "'--test-control' is for tests on this machine: it cannot be combined with '--public-url'."
            )
        }
    }

    /// Throws unless only this machine can reach the server.
    private static func requireDevelopmentServer(_ server: ServerConfiguration, _ publicURL: PublicURL) throws {
        guard server.isOnlyForThisMachine else {
            throw ValidationError(
                """
                '--dev' shows all that a session stores: '--host' must be a loopback address, such as 127.0.0.1, or '--socket' a Unix \
                domain socket, and systemd must pass no socket.
                """
            )
        }
        guard publicURL.origin == Settings.publicURL.defaultValue.origin else {
            throw ValidationError("'--dev' is for this machine only: it cannot be combined with '--public-url'.")
        }
    }

    private static func service(_ options: some ServeOptions, _ settings: SettingsReader) throws -> ServiceConfiguration
    {
        var service = Application.current.serviceConfiguration
        service.sessionMode = try settings.value(options.sessions.sessions, Settings.sessions)
        service.sessions.idle = try settings.value(options.sessions.sessionIdle, Settings.sessionIdle).duration
        service.sessions.lifetime =
            try settings.value(options.sessions.sessionLifetime, Settings.sessionLifetime).duration
        service.sessions.maximum = try settings.value(options.sessions.maxSessions, Settings.maxSessions).number
        service.sessions.maximumSize =
            try settings.value(options.sessions.maxSessionSize, Settings.maxSessionSize).bytes
        service.sessions.maximumMemory =
            try settings.value(options.sessions.maxSessionMemory, Settings.maxSessionMemory).bytes
        service.sessions.maximumPerAddress =
            try settings.value(options.sessions.sessionsPerAddress, Settings.sessionsPerAddress).value?.number
        service.pathPrefix = try settings.value(options.listening.pathPrefix, Settings.pathPrefix) ?? PathPrefix()
        service.allowedOrigins =
            try Self.list(options.listening.allowedOrigins, Settings.allowedOrigins, settings) {
                try AllowedOrigins($0)
            }
            ?? AllowedOrigins()
        service.requests = try settings.value(options.limits.requests, Settings.requests).value?.rate
        service.limitsLoopback = try settings.value(options.limits.limitLoopback, Settings.limitLoopback)
        let publicURL = try settings.value(options.listening.publicURL, Settings.publicURL)
        service.isPublicAddressSecure = publicURL.isSecure
        // The default has no port: clients then use the address from which they get the document.
        if publicURL.origin != Settings.publicURL.defaultValue.origin { service.publicOrigin = publicURL.origin }
        return service
    }
}

extension SettingsReader {
    /// Returns the path of the Unix domain socket; `nil` if a host and a port are used. An option that names a host or port takes
    /// precedence over a path in the environment or in the file.
    ///
    /// - Throws: `ValidationError` if options name both.
    func socketPath(_ option: String?, orHost host: String?, port: UInt16?) throws -> String? {
        let path = try value(option, Settings.socket)
        guard host != nil || port != nil else { return path }
        guard option == nil else {
            throw ValidationError("'--socket' replaces '--host' and '--port': give one or the other.")
        }
        return nil
    }
}

extension ServerConfiguration {
    /// Whether no other machine can connect. A socket that another process has opened can have any address.
    fileprivate var isOnlyForThisMachine: Bool {
        switch address {
        case .unixSocket: true
        case .handedOver: false
        case nil: IPAddress.isLoopback(host: host)
        }
    }
}

extension IPAddress {
    /// Whether a host to listen on is a loopback address, or `localhost`.
    fileprivate static func isLoopback(host: String) -> Bool {
        host == "localhost" || IPAddress(host)?.isLoopback == true
    }
}

extension RateSetting {
    /// The limit that the setting expresses.
    var rate: Rate { Rate(count, per: interval.duration) }
}
