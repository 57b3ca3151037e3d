import Accounts
import Addresses
import ArgumentParser
import BundledControllers
import BusinessLogic
import HTMLPages
import Logging
import MicroHTTP
import RateLimiting
import Understudy

/// The values of all settings of `serve`. Nothing has been opened yet.
struct ServeSettings {
    let reader: SettingsReader

    // MARK: What the table sets

    var isDemo = false
    var server = ServerConfiguration()
    var service = Application.current.serviceConfiguration
    var pageFolders = PageFolders()
    /// The other sites whose pictures pages may show.
    var imageOrigins = ImageOrigins()
    /// The path of a String Catalog with translations; `nil` for only those of the program.
    var translations: String?
    var passkeys = PasskeySite()
    /// Whether users who sign up must confirm their address.
    var confirmsAddresses = false
    var logLevel = Logger.Level.info
    var logFormat = LogFormat.json
    var hasAccessLog = true
    /// The folder in which sessions are recorded; `nil` if they are not.
    var recordings: String?
    var admin = AdminSettings()

    // MARK: What several settings result in

    /// How long a stopping server serves before it drains.
    private(set) var drainDelay = Duration.zero
    /// The files of the certificate and its key; `nil` without TLS.
    private(set) var tls: TLSFiles?
    private(set) var servesHTML = false
    /// The database; `nil` for the demonstration, which stores nothing.
    private(set) var database: DatabaseLocation?
    private(set) var passwordPolicy: any PasswordPolicy = NonEmptyPasswordPolicy()
    private(set) var rateLimits = AccountRateLimits()
    /// Where mails go; `nil` if no mails are sent.
    private(set) var mails: MailDestination?

    /// Reads the settings. The server uses the listening sockets that systemd passes instead of any other address.
    init(_ reader: SettingsReader, systemd: Systemd? = nil) throws {
        self.reader = reader
        _ = try reader.hashCost()
        for setting in reader.used { try setting.fill(&self) }
        let publicURL = try reader.value(Settings.publicURL)
        try readServer(publicURL, systemd)
        try readPages()
        try readStorage()
        for (setting, (_, limit)) in zip(Settings.rateLimits, AccountRateLimits.all) {
            let rate = try reader.value(setting)
            rateLimits[keyPath: limit] = AddressLimit(rate, limitsLoopback: server.limitsLoopback)
        }
        try readPasskeys()
        try admin.read(reader, server.hostPolicy, socket: systemd?.operatorsSocket)
        mails = try MailDestination(
            reader,
            confirmsAddresses: confirmsAddresses,
            isForTests: isDemo || isTestControlled
        )
        try check(publicURL)
    }

    /// Whether the server is for the development of pages.
    var isDevelopment: Bool { service.isDevelopment }
    /// Whether the port for operators has the endpoints for tests.
    var isTestControlled: Bool { service.isResettable }

    private mutating func readServer(_ publicURL: PublicURL, _ systemd: Systemd?) throws {
        let mode = try reader.value(Settings.socketMode)
        let namesPort = reader.option(Settings.host) != nil || reader.option(Settings.port) != nil
        server.address = try reader.socketPath(option: reader.option(Settings.socket), namesPort: namesPort)
            .map { .unixSocket(path: $0, mode: mode) }
        if let socket = systemd?.socket { server.address = .handedOver(descriptor: socket) }
        let allowed = try reader.value(Settings.allowedHosts)
        var hosts = allowed ?? AllowedHosts()
        try hosts.allow(publicURL.host)
        server.hostPolicy = allowed == nil ? .loopbackOnly(hosts) : .always(hosts)
        drainDelay = try reader.value(Settings.drainDelay) ?? .seconds(systemd?.notifier == nil ? 0 : 5)
        tls = try TLSFiles(reader)
        service.pathPrefix = try reader.value(Settings.pathPrefix) ?? PathPrefix()
        service.limitsLoopback = server.limitsLoopback
        service.isPublicAddressSecure = publicURL.isSecure || tls != nil
        // The default has no port: clients then use the address from which they get the document.
        if !publicURL.isDefault { service.publicOrigin = publicURL.origin }
    }

    private mutating func readPages() throws {
        service.title = try reader.value(Settings.title) ?? service.title
        service.servesAgents = try reader.value(Settings.mcp) ?? isDemo
        let folder = pageFolders.templates != nil ? "templates" : pageFolders.assets != nil ? "assets" : nil
        servesHTML = try reader.value(Settings.pages) ?? (isDemo || isDevelopment || folder != nil)
        if let folder, !servesHTML {
            throw ValidationError("'--\(folder)' is for the pages as HTML: it cannot be combined with '--pages off'.")
        }
    }

    private mutating func readStorage() throws {
        let passwordPolicy = try reader.passwordPolicy { error in
            Logger(label: "understudy").warning(
                "The list of leaked passwords cannot be read, so that passwords are not compared with it",
                metadata: ["error": "\(error)"]
            )
        }
        // The demonstration does not use the settings of passwords, but checks them.
        guard !isDemo else { return }
        database = try reader.databaseLocation()
        self.passwordPolicy = passwordPolicy
    }

    private mutating func readPasskeys() throws {
        guard let origin = service.publicOrigin, let url = PublicURL(origin) else {
            guard passkeys.files(origin: "").isEmpty else {
                throw ValidationError("Sites and apps share the passkeys of '--public-url': set it.")
            }
            return
        }
        service.wellKnown = passkeys.files(origin: url.browserOrigin)
        if !service.wellKnown.isEmpty, passkeys.relyingParty(url, title: "") == nil {
            throw ValidationError(
                "There are no passkeys for '\(origin)', which sites and apps could share: it needs a domain and HTTPS."
            )
        }
    }

    /// Returns the folder for recordings, and creates it if it is missing; `nil` if sessions are not recorded.
    ///
    /// Letters and digits are replaced, so that recordings do not identify people, unless only developers use the server.
    func recordingFolder() throws(CommandError) -> RecordingFolder? {
        guard let folder = recordings else { return nil }
        return try CommandError.explaining("Sessions cannot be recorded") {
            try RecordingFolder(folder, isRedacted: !isDemo && !isDevelopment)
        }
    }

    /// The site to which passkeys are bound; `nil` if there can be none, because it has no domain. Without ``public-url``, passkeys are for
    /// this machine, with the port of the address at which the server listens.
    func relyingParty(at address: String) -> RelyingParty? {
        let local = PublicURL(address).map { "\($0.isSecure ? "https" : "http")://localhost\($0.port)" }
        guard let url = PublicURL(service.publicOrigin ?? local ?? "") else { return nil }
        return passkeys.relyingParty(url, title: service.title)
    }

    /// Sends the mails; `nil` if none are sent.
    func mailer(clock: any WallClock) -> (any Mailer)? {
        guard case .server(let server, let sender) = mails else { return nil }
        return server.mailer(from: sender, clock: clock)
    }

    /// Keeps the mails of a demonstration or a test; `nil` if a mail server gets them. A demonstration prints the subject of each mail, which
    /// contains its code.
    func keptMails(clock: any WallClock) -> MemoryOutbox? {
        guard case .memory = mails else { return nil }
        guard isDemo, !isTestControlled, logFormat == .text else { return MemoryOutbox(clock: clock) }
        return MemoryOutbox(clock: clock) { mail in
            Terminal.print("Mail to \(mail.recipient.printable): \(mail.subject.printable)")
        }
    }

    /// Throws if two values contradict each other.
    private func check(_ publicURL: PublicURL) throws {
        if isDemo, let unused = Settings.all.first(where: { $0.isUnusedByDemo && reader.option($0) != nil }) {
            throw ValidationError("'--demo' does not use '--\(unused.name)': leave one of them out.")
        }
        let isShared = service.sessionMode == .database
        let hasPortForTests = admin.isRequired && admin.configuration != nil
        let isForTestsHere =
            server.isOnlyForThisMachine && admin.server.address == nil
            && IPAddress.isLoopback(host: admin.server.host)
        let contradiction: String? =
            switch true {
            case isTestControlled && !hasPortForTests:
                "'--test-control' adds endpoints to the port for operators: set it with '--admin-port', for instance to 0."
            case isTestControlled && !isForTestsHere:
                """
                '--test-control' lets a client reset the server: '--host' and '--admin-host' must be loopback addresses, such \
                as 127.0.0.1, or '--socket' a Unix domain socket, and systemd must pass no socket.
                """
            case isTestControlled && !publicURL.isDefault:
                "'--test-control' is for tests on this machine: it cannot be combined with '--public-url'."
            case isDevelopment && !server.isOnlyForThisMachine:
                """
                '--dev' shows all that a session stores: '--host' must be a loopback address, such as 127.0.0.1, or '--socket' a Unix \
                domain socket, and systemd must pass no socket.
                """
            case isDevelopment && !publicURL.isDefault:
                "'--dev' is for this machine only: it cannot be combined with '--public-url'."
            case isShared && isDemo:
                "'--sessions database' needs a database, and '--demo' has none: give one or the other."
            case isShared && recordings != nil:
                "'--record' needs '--sessions memory': other servers can handle events of a session."
            default: nil
            }
        if let contradiction { throw ValidationError(contradiction) }
    }
}

/// The address for operators.
struct AdminSettings {
    /// Where the server listens, unless ``isOff``. The descriptor of a socket that systemd passes replaces any other address.
    var server = ServerConfiguration()
    private var isOff = false
    /// Whether a setting or systemd names the port. If so, the server does not start without it. The default port may be in use.
    private(set) var isRequired = false
    /// The token with which operators log in; `nil` if the address has no pages.
    private(set) var token: OperatorToken?

    mutating func read(_ reader: SettingsReader, _ hostPolicy: HostPolicy, socket: Int32?) throws {
        let port = try reader.value(Settings.adminPort)
        server.hostPolicy = hostPolicy
        server.port = (port ?? 9090) ?? 0
        server.address = socket.map { .handedOver(descriptor: $0) }
        isOff = port == .some(nil) && socket == nil
        isRequired = port != nil || socket != nil
        token = try reader.value(Settings.adminTokenFile).map { OperatorToken(path: $0) }
        if token != nil, isOff {
            throw ValidationError(
                "'--admin-token-file' is for the port for operators, which '--admin-port off' does not open."
            )
        }
    }

    /// The configuration of the server for operators; `nil` if it is switched off.
    var configuration: ServerConfiguration? { isOff ? nil : server }
}

extension SettingsReader {
    /// Returns the path of the Unix domain socket; `nil` if a host and a port are used. An option that names a host or port takes
    /// precedence over a path in the environment or in the file.
    func socketPath(option: String?, namesPort: Bool) throws -> String? {
        let path = try value(Settings.socket, option: option)
        guard namesPort else { return path }
        guard option == nil else {
            throw ValidationError("'--socket' replaces '--host' and '--port': give one or the other.")
        }
        return nil
    }
}

extension PublicURL {
    fileprivate var isDefault: Bool { origin == Settings.publicURL.defaultValue.origin }
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

enum MailDestination {
    /// To a mail server, from a sender.
    case server(MailServer, MailAddress)
    /// Into the memory of the server, for a demonstration or a test.
    case memory

    /// The destination that the settings name; `nil` if no mails are sent. Those of tests stay in memory without a mail server.
    init?(_ reader: SettingsReader, confirmsAddresses: Bool, isForTests: Bool) throws {
        let sender = try reader.value(Settings.mailFrom)
        let password = try reader.value(Settings.mailPasswordFile)
        let authorities = try reader.value(Settings.mailAuthorities)
        guard let url = try reader.value(Settings.mailURL) else {
            let needless: [any AnySetting] = [Settings.mailFrom, Settings.mailPasswordFile, Settings.mailAuthorities]
            if let setting = needless.first(where: { reader.origin(of: $0) != nil }) {
                throw ValidationError("'--\(setting.name)' needs a mail server: set it with '--mail-url'.")
            }
            guard !confirmsAddresses || isForTests else {
                throw ValidationError("'--confirm-addresses' sends codes: set the mail server with '--mail-url'.")
            }
            guard isForTests else { return nil }
            self = .memory
            return
        }
        guard let sender else {
            throw ValidationError(
                "'--mail-url' needs a sender: set it with '--mail-from', such as 'no-reply@example.com'."
            )
        }
        do {
            self = .server(try MailServer(url: url, passwordFile: password, authorities: authorities), sender)
        } catch {
            throw ValidationError("Mails cannot be sent with 'mail-url': \(error).")
        }
    }
}
