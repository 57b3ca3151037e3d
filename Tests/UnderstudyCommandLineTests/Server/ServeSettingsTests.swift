import HTMLPages

@testable import UnderstudyCommandLine

/// A value of a setting, and the value of the property that it sets.
struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let value: String
    /// Returns what the property is instead; `nil` if it is as expected.
    let difference: @Sendable (ServeSettings) -> String?
    var testDescription: String { "\(name): \(value)" }

    init<Value: Equatable & Sendable>(
        _ name: String,
        _ value: String,
        _ expected: Value,
        _ property: @escaping @Sendable (ServeSettings) -> Value
    ) {
        self.name = name
        self.value = value
        difference = { property($0) == expected ? nil : "\(property($0))" }
    }

    static let all = [
        Row("host", "192.0.2.1", "192.0.2.1") { $0.server.host },
        Row("port", "81", 81) { $0.server.port },
        Row("socket", "/s", .unixSocket(path: "/s", mode: 0o660)) { $0.server.address },
        Row("loops", "3", 3) { $0.server.loops },
        Row("public-url", "HTTPS://example.com", "https://example.com") { $0.service.publicOrigin },
        Row("public-url", "https://example.com", true) { $0.service.isPublicAddressSecure },
        Row("path-prefix", "/a", "/a") { $0.service.pathPrefix.description },
        Row("trusted-proxies", "unix", try? TrustedProxies("unix")) { $0.server.trustedProxies },
        Row("allowed-origins", "https://app.example", ["https://app.example"]) { $0.service.allowedOrigins.origins },
        Row("allowed-hosts", "app.example", .always(allowed("app.example", "localhost"))) { $0.server.hostPolicy },
        Row("allowed-hosts", "app.example", .always(allowed("app.example", "localhost"))) {
            $0.admin.configuration?.hostPolicy
        },
        Row("public-url", "https://app.example", .loopbackOnly(allowed("app.example"))) {
            $0.admin.configuration?.hostPolicy
        },
        Row("demo", "on", nil) { $0.database?.name },
        Row("dev", "on", true) { $0.isDevelopment },
        Row("title", "Käse&Co", "Käse&Co") { $0.service.title },
        Row("pages", "on", true) { $0.servesHTML },
        Row("templates", "/t", "/t") { $0.pageFolders.templates },
        Row("templates", "/t", true) { $0.servesHTML },
        Row("assets", "/a", "/a") { $0.pageFolders.assets },
        Row("assets", "/a", true) { $0.servesHTML },
        Row("image-origins", "https://a.example", try? ImageOrigins("https://a.example")) { $0.imageOrigins },
        Row("translations", "/x", "/x") { $0.translations },
        Row("sessions", "database", .database) { $0.service.sessionMode },
        Row("session-idle", "1s", .seconds(1)) { $0.service.sessions.idle },
        Row("session-lifetime", "2s", .seconds(2)) { $0.service.sessions.lifetime },
        Row("max-sessions", "3", 3) { $0.service.sessions.maximum },
        Row("max-session-size", "4", 4) { $0.service.sessions.maximumSize },
        Row("max-session-memory", "5", 5) { $0.service.sessions.maximumMemory },
        Row("sessions-per-address", "6", 6) { $0.service.sessions.maximumPerAddress },
        Row("sessions-per-address", "off", nil) { $0.service.sessions.maximumPerAddress },
        Row("max-body", "7", 7) { $0.server.maximumBodySize },
        Row("requests", "8/9s", Rate(8, per: .seconds(9))) { $0.service.requests },
        Row("requests", "off", nil) { $0.service.requests },
        Row("max-connections", "10", 10) { $0.server.maximumConnections },
        Row("connections-per-address", "11", 11) { $0.server.connectionsPerAddress },
        Row("connections-per-address", "off", nil) { $0.server.connectionsPerAddress },
        Row("idle-timeout", "12s", .seconds(12)) { $0.server.idleTimeout },
        Row("header-timeout", "13s", .seconds(13)) { $0.server.headTimeout },
        Row("body-timeout", "14s", .seconds(14)) { $0.server.bodyTimeout },
        Row("response-timeout", "15s", .seconds(15)) { $0.server.responseTimeout },
        Row("drain", "16s", .seconds(16)) { $0.server.drainTimeout },
        Row("drain-delay", "17s", .seconds(17)) { $0.drainDelay },
        Row("limit-loopback", "on", true) { $0.server.limitsLoopback && $0.service.limitsLoopback },
        Row("database", "/d", "/d") { $0.database?.name },
        Row("data", "/f", "/f/understudy.sqlite") { $0.database?.name },
        Row("logins", "18/1s", Rate(18, per: .seconds(1))) { $0.rateLimits.logins.rate },
        Row("failed-logins", "19/1s", Rate(19, per: .seconds(1))) { $0.rateLimits.failedLogins.rate },
        Row("signups", "20/1s", Rate(20, per: .seconds(1))) { $0.rateLimits.signups.rate },
        Row("codes", "21/1s", Rate(21, per: .seconds(1))) { $0.rateLimits.codes.rate },
        Row("hash-workers", "2", 2) { try? $0.reader.value(Settings.hashWorkers) },
        Row("hash-iterations", "3", 3) { try? $0.reader.hashCost().iterations },
        Row("hash-memory", "32MiB", 32 << 10) { try? $0.reader.hashCost().memory },
        Row("log-level", "error", .error) { $0.logLevel },
        Row("log-format", "json", .json) { $0.logFormat },
        Row("access-log", "off", false) { $0.hasAccessLog },
        Row("record", "/r", "/r") { $0.recordings },
        Row("admin-host", "::1", "::1") { $0.admin.server.host },
        Row("admin-port", "20", 20) { $0.admin.configuration?.port },
        Row("admin-port", "20", true) { $0.admin.isRequired },
        Row("admin-port", "off", nil) { $0.admin.configuration?.port },
        Row("admin-token-file", "/t", "/t") { $0.admin.token?.path },
    ]

    static func allowed(_ hosts: String...) -> AllowedHosts {
        var allowed = AllowedHosts()
        for host in hosts { try? allowed.allow(host) }
        return allowed
    }
}

/// The configuration that results from settings, without a server.
struct ServeSettingsTests {
    let workplace = Workplace()

    /// Parsed once, because that takes a tenth of a second in a debug build.
    static let withoutOptions = Result { try ServeCommand.parse([]) }

    /// The settings of options as a command line has them.
    func settings(
        _ options: String = "",
        file: String = "",
        environment: [String: String] = [:],
        systemd: Systemd? = nil
    ) throws -> ServeSettings {
        let command =
            try options.isEmpty
            ? Self.withoutOptions.get() : ServeCommand.parse(options.words)
        return try ServeSettings(command.settings(file: file, environment: environment), systemd: systemd)
    }

    @Test(arguments: Row.all)
    func `a setting sets its property as an option, as a variable and in the file`(row: Row) throws {
        let isFlag = Settings.all.contains { $0.name == row.name && $0.isFlag }
        let option = isFlag ? "--\(row.name)" : "--\(row.name) \(row.value)"
        #expect(row.difference(try settings(option)) == nil)
        let variable = "UNDERSTUDY_" + row.name.uppercased().replacing("-", with: "_")
        #expect(row.difference(try settings(environment: [variable: row.value])) == nil)
        let file = try workplace.file("settings.yaml", "\(row.name): '\(row.value)'\n")
        #expect(row.difference(try settings(file: file)) == nil)
    }

    @Test func `without settings, the configurations are those that an embedder creates`() throws {
        let settings = try settings()
        var server = ServerConfiguration()
        var allowed = AllowedHosts()
        try allowed.allow("localhost")
        server.hostPolicy = .loopbackOnly(allowed)
        #expect(String(reflecting: settings.server) == String(reflecting: server))
        let service = ServiceConfiguration()
        #expect(String(reflecting: settings.service.sessions) == String(reflecting: service.sessions))
        #expect(settings.service.requests == service.requests)
        #expect(!settings.service.isResettable && !settings.service.isDevelopment && !settings.servesHTML)
        #expect(settings.database?.name.hasSuffix("/understudy/understudy.sqlite") == true)
        #expect(settings.admin.configuration?.port == 9090)
        #expect(!settings.admin.isRequired)
        #expect(settings.hasAccessLog)
        #expect(settings.recordings == nil)
    }

    @Test func `browsers get the static files of the program, and no pages if they are switched off`() async throws {
        let program = Application(title: "Shop", version: "1.0", assets: ["app.js": "go()".bytes]) { _ in [] }
        try await Application.$current.withValue(program) {
            #expect(try ContentFiles(settings()).htmlPages == nil)
            let pages = try #require(try ContentFiles(settings("--pages on")).htmlPages)
            let file = await pages.respond(to: Request(.get, "/assets/app.js")) { _ in Response(status: 404) }
            #expect(file.body == "go()".bytes)
        }
    }

    @Test func `the template of mails is that of the folder, or that of the program`() async throws {
        let program = Application(title: "Shop", version: "1.0", templates: ["mail": "program"]) { _ in [] }
        try await Application.$current.withValue(program) {
            func html() async throws -> String? {
                let writer = try ContentFiles(settings("--demo --templates \(workplace.folder.path)")).mails
                return writer?.mail(.accountDeleted, to: "lisa@rules.example", language: nil, expires: nil).html
            }
            #expect(try await html() == "program")
            try workplace.file("mail.mustache", "folder")
            #expect(try await html() == "folder")
        }
    }

    @Test(arguments: [
        "--admin-port 0", "--admin-port 0 --host ::1 --admin-host 127.0.0.2", "--admin-port 9090 --socket /s",
        "--admin-port 9090 --host localhost",
    ])
    func `tests can control a server that only this machine can reach`(options: String) throws {
        #expect(try settings("--test-control \(options)").isTestControlled)
    }

    @Test(arguments: [([:], 0), (["NOTIFY_SOCKET": "/run/notify"], 5)] as [([String: String], Int)])
    func `a server that stops serves for five seconds under systemd, and drains at once elsewhere`(
        environment: [String: String],
        seconds: Int
    ) async throws {
        let systemd = try Systemd(environment: environment, process: 1)
        #expect(try settings(systemd: systemd).drainDelay == .seconds(seconds))
        #expect(try settings("--drain-delay 7s", systemd: systemd).drainDelay == .seconds(7))
    }

    @Test func `tests cannot control a server with a socket that systemd passes`() async throws {
        for name in ["http", "operators"] {
            let variables = ["LISTEN_FDS": "1", "LISTEN_PID": "1", "LISTEN_FDNAMES": name]
            let systemd = try Systemd(environment: variables, process: 1)
            #expect(throws: ValidationError.self) { try settings("--test-control --admin-port 0", systemd: systemd) }
        }
    }

    @Test func `sites and apps share the passkeys of the public address`() async throws {
        let bytes = (1...32).map { UInt8($0) }
        let fingerprint = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
        let settings = try settings(
            """
            --public-url https://shop.example:443/ \
            --related-origins https://shop.example.de,HTTPS://other.example:444 \
            --apple-apps A1B2C3D4E5.com.example.shop --android-apps com.example.shop=\(fingerprint)
            """
        )
        let site = try #require(settings.relyingParty(at: "http://127.0.0.1:80"))
        #expect(site.id == "shop.example")
        #expect(
            site.origins == [
                "https://shop.example", "https://shop.example.de", "https://other.example:444",
                "android:apk-key-hash:AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA",
            ]
        )
        let files = settings.service.wellKnown
        #expect(
            files["webauthn"] == [
                "origins": ["https://shop.example", "https://shop.example.de", "https://other.example:444"]
            ]
        )
        #expect(files["apple-app-site-association"] == ["webcredentials": ["apps": ["A1B2C3D4E5.com.example.shop"]]])
        let link = files["assetlinks.json"]?.array?.first?["target"]
        #expect(link?["package_name"] == "com.example.shop")
        #expect(link?["sha256_cert_fingerprints"] == [.string(fingerprint.uppercased())])
    }

    @Test func `without a public address, passkeys are for this machine, and for a domain only`() async throws {
        let local = try settings()
        #expect(local.relyingParty(at: "http://127.0.0.1:8080")?.origins == ["http://localhost:8080"])
        #expect(local.relyingParty(at: "https://[::1]:8443")?.origins == ["https://localhost:8443"])
        #expect(local.relyingParty(at: "/run/understudy.sock") == nil)
        #expect(local.service.wellKnown.isEmpty)
        for address in ["https://192.0.2.1", "https://[2001:db8::1]:8443"] {
            #expect(try settings("--public-url \(address)").relyingParty(at: "http://127.0.0.1:1") == nil)
        }
    }

    static let invalidEntries = [
        "related-origins https://shop.example/path",
        "apple-apps com.example.shop", "android-apps com.example.shop=14:6D", "allowed-hosts https://app.example",
        "allowed-origins app.example", "image-origins http://images.example", "image-origins https://*.example",
        "trusted-proxies 10.0.0.1/8",
    ].map { entry in
        let words = entry.words
        return ("--\(entry)", "The value '\(words[1])' is invalid for '\(words[0])': ")
    }

    static let invalidTitles = ["\u{A0}", "a\u{7}", "x".repeated(65)].map { title in
        let shown = title.replacing("\u{7}", with: "\\u0007")
        return ("--title \(title)", "The value '\(shown)' is invalid for '--title <title>': expected a name")
    }

    static let contradictions = [
        (
            "--related-origins http://shop.example",
            "The value 'http://shop.example' is invalid for 'related-origins': 'http://shop.example' is not the origin"
        ),
        ("--apple-apps A1B2C3D4E5.com.example.shop", "Sites and apps share the passkeys of '--public-url': set it."),
        (
            "--templates /a --pages off",
            "'--templates' is for the pages as HTML: it cannot be combined with '--pages off'."
        ),
        ("--assets /a --pages off", "'--assets' is for the pages as HTML: it cannot be combined with '--pages off'."),
        ("--demo --data /d", "'--demo' does not use '--data': leave one of them out."),
        ("--demo --database /d", "'--demo' does not use '--database': leave one of them out."),
        ("--demo --password-min 20", "'--demo' does not use '--password-min': leave one of them out."),
        ("--demo --password-min 4", "The value of 'password-min' is invalid: "),
        ("--socket /s --port 1", "'--socket' replaces '--host' and '--port': give one or the other."),
        ("--tls-key /k", "'--tls-certificate' and '--tls-key' belong together: give both or neither."),
        ("--test-control", "'--test-control' adds endpoints to the port for operators: set it with '--admin-port'"),
        ("--test-control --admin-port off", "'--test-control' adds endpoints to the port for operators"),
        ("--test-control --admin-port 0 --host 0.0.0.0", "'--test-control' lets a client reset the server"),
        ("--test-control --admin-port 0 --host app.example", "'--test-control' lets a client reset"),
        ("--test-control --admin-port 0 --admin-host ::", "'--test-control' lets a client reset"),
        (
            "--test-control --admin-port 0 --public-url https://app.example",
            "'--test-control' is for tests on this machine: it cannot be combined with '--public-url'."
        ),
        ("--dev --host 0.0.0.0", "'--dev' shows all that a session stores: '--host' must be a loopback address"),
        (
            "--dev --public-url https://app.example",
            "'--dev' is for this machine only: it cannot be combined with '--public-url'."
        ),
    ]

    @Test(arguments: contradictions + invalidEntries + invalidTitles)
    func `values that contradict each other, and lists with an invalid entry, are errors`(
        options: String,
        beginning: String
    ) async throws {
        try await understudy("config \(options)").expect(error: "\(beginning)…", status: 64, output: [])
    }
}
