import Accounts
import ArgumentParser
import Foundation
import HTMLPages
import Logging
import HTTPMessages
import MicroHTTP
import RateLimiting
import BusinessLogic
import Testing
import WebAuthn
import Understudy

@testable import UnderstudyCommandLine

/// The configuration that results from options, without a server.
@Suite struct ServeSettingsTests {
    /// The settings of options as a command line has them.
    private func settings(_ options: String = "") async throws -> ServeSettings {
        try ServeSettings(
            ServeCommand.parse(options.split(separator: " ").map(String.init)),
            SettingsReader(file: "", environment: [:])
        )
    }

    @Test func `each option sets its part of the configuration`() async throws {
        let settings = try await settings(
            """
            --host 192.0.2.1 --port 81 --loops 3 --public-url HTTPS://example.com --path-prefix /a \
            --trusted-proxies unix --allowed-origins https://app.example --allowed-hosts app.example \
            --session-idle 1s --session-lifetime 2s --max-sessions 3 --max-session-size 4 --max-session-memory 5 \
            --sessions-per-address 6 --max-body 7 --requests 8/9s --max-connections 10 --connections-per-address 11 \
            --idle-timeout 12s --header-timeout 13s --body-timeout 14s --response-timeout 15s \
            --drain 16s --limit-loopback --database /d --logins 17/1s --failed-logins 18/1s \
            --signups 19/1s --log-level error --log-format json --access-log off \
            --record /r --admin-host ::1 --admin-port 20
            """
        )
        let server = settings.server
        #expect(server.host == "192.0.2.1")
        #expect(server.port == 81)
        #expect(server.loops == 3)
        #expect(server.hostPolicy == .always(try allowed("app.example", "example.com")))
        #expect(server.maximumBodySize == 7)
        #expect(server.maximumConnections == 10)
        #expect(server.connectionsPerAddress == 11)
        #expect(server.limitsLoopback)
        #expect(server.idleTimeout == .seconds(12))
        #expect(server.headTimeout == .seconds(13))
        #expect(server.bodyTimeout == .seconds(14))
        #expect(server.responseTimeout == .seconds(15))
        #expect(server.drainTimeout == .seconds(16))

        let service = settings.service
        #expect(service.isPublicAddressSecure)
        #expect(service.allowedOrigins.origins == ["https://app.example"])
        #expect(service.pathPrefix.description == "/a")
        #expect(service.sessions.idle == .seconds(1))
        #expect(service.sessions.lifetime == .seconds(2))
        #expect(service.sessions.maximum == 3)
        #expect(service.sessions.maximumSize == 4)
        #expect(service.sessions.maximumMemory == 5)
        #expect(service.sessions.maximumPerAddress == 6)
        #expect(service.requests == Rate(8, per: .seconds(9)))
        #expect(service.limitsLoopback)

        #expect(settings.accounts.database?.name == "/d")
        #expect(settings.accounts.rateLimits.logins.rate == Rate(17, per: .seconds(1)))
        #expect(settings.accounts.rateLimits.failedLogins.rate == Rate(18, per: .seconds(1)))
        #expect(settings.accounts.rateLimits.signups.rate == Rate(19, per: .seconds(1)))
        #expect(settings.log.level == .error)
        #expect(settings.log.format == .json)
        #expect(!settings.log.hasAccessLog)
        #expect(settings.recording?.path == "/r")
        #expect(settings.recording?.isRedacted == true)
        #expect(settings.admin.host == "::1")
        #expect(settings.admin.port == 20)
        #expect(settings.admin.isRequired)
    }

    @Test func `the defaults of the settings are those of the configurations`() async throws {
        let settings = try await settings()
        let (server, service) = (ServerConfiguration(), ServiceConfiguration())
        #expect(settings.server.host == server.host)
        #expect(settings.server.port == server.port)
        #expect(settings.server.address == nil)
        #expect(settings.server.loops == server.loops)
        #expect(settings.server.hostPolicy == .loopbackOnly(try allowed("localhost")))
        #expect(settings.server.maximumBodySize == server.maximumBodySize)
        #expect(settings.server.maximumConnections == server.maximumConnections)
        #expect(settings.server.connectionsPerAddress == server.connectionsPerAddress)
        #expect(settings.server.idleTimeout == server.idleTimeout)
        #expect(settings.server.headTimeout == server.headTimeout)
        #expect(settings.server.bodyTimeout == server.bodyTimeout)
        #expect(settings.server.responseTimeout == server.responseTimeout)
        #expect(settings.server.drainTimeout == server.drainTimeout)
        #expect(settings.service.sessions.idle == service.sessions.idle)
        #expect(settings.service.sessions.lifetime == service.sessions.lifetime)
        #expect(settings.service.sessions.maximum == service.sessions.maximum)
        #expect(settings.service.sessions.maximumSize == service.sessions.maximumSize)
        #expect(settings.service.sessions.maximumMemory == service.sessions.maximumMemory)
        #expect(settings.service.sessions.maximumPerAddress == service.sessions.maximumPerAddress)
        #expect(settings.service.requests == service.requests)
        #expect(settings.accounts.database?.name.hasSuffix("/understudy/understudy.sqlite") == true)
        #expect(settings.admin.port == 9090)
        #expect(!settings.admin.isRequired)
        #expect(!settings.isTestControlled)
        #expect(!settings.service.isResettable)
        #expect(settings.log.hasAccessLog)
        #expect(settings.recording == nil)
    }

    @Test func `folders with templates or static files switch the pages for browsers on`() async throws {
        #expect(!(try await settings().servesHTML))
        let templates = try await settings("--templates /t")
        #expect(templates.servesHTML)
        #expect(templates.pageFolders.templates == "/t")
        #expect(templates.pageFolders.assets == nil)
        let assets = try await settings("--assets /a --pages on")
        #expect(assets.servesHTML)
        #expect(assets.pageFolders.assets == "/a")
    }

    @Test func `browsers get the static files of the program, and no pages if they are switched off`() async throws {
        let program = Application(title: "Shop", version: "1.0", assets: ["app.js": Array("go()".utf8)]) { _ in [] }
        try await Application.$current.withValue(program) {
            #expect(try await settings().htmlPages(Translations()) == nil)
            let pages = try #require(try await settings("--pages on").htmlPages(Translations()))
            let file = await pages.respond(to: Request(.get, "/assets/app.js")) { _ in Response(status: 404) }
            #expect(file.body == Array("go()".utf8))
        }
    }

    @Test func `the template of mails is that of the folder, or that of the program`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "understudy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = Application(title: "Shop", version: "1.0", templates: ["mail": "program"]) { _ in [] }
        try await Application.$current.withValue(program) {
            func html() async throws -> String? {
                let writer = try await settings("--demo --templates \(folder.path)").mailWriter(Translations())
                return writer?.mail(.accountDeleted, to: "lisa@rules.example", language: nil, expires: nil).html
            }
            #expect(try await html() == "program")
            try Data("folder".utf8).write(to: folder.appending(path: "mail.mustache"))
            #expect(try await html() == "folder")
        }
    }

    @Test(arguments: ["templates", "assets"])
    func `folders for browsers contradict pages that are switched off`(name: String) async throws {
        await #expect {
            _ = try await settings("--\(name) /a --pages off")
        } throws: { error in
            (error as? ValidationError)?.message
                == "'--\(name)' is for the pages as HTML: it cannot be combined with '--pages off'."
        }
    }

    @Test func `limits and the port for operators can be switched off`() async throws {
        let settings = try await settings(
            "--requests off --connections-per-address off --sessions-per-address off --admin-port off"
        )
        #expect(settings.service.requests == nil)
        #expect(settings.server.connectionsPerAddress == nil)
        #expect(settings.service.sessions.maximumPerAddress == nil)
        #expect(settings.admin.port == nil)
    }

    @Test(arguments: [
        ["--admin-port", "0"], ["--admin-port", "0", "--host", "::1", "--admin-host", "127.0.0.2"],
        ["--admin-port", "9090", "--socket", "/s"], ["--admin-port", "9090", "--host", "localhost"],
    ])
    func `tests can control a server that only this machine can reach`(arguments: [String]) async throws {
        let parsed = try ServeCommand.parse(["--test-control"] + arguments)
        let settings = try ServeSettings(parsed, SettingsReader(file: "", environment: [:]))
        #expect(settings.isTestControlled)
        #expect(settings.service.isResettable)
    }

    @Test(arguments: [([:], 0), (["NOTIFY_SOCKET": "/run/notify"], 5)] as [([String: String], Int)])
    func `a server that stops serves for five seconds under systemd, and drains at once elsewhere`(
        environment: [String: String],
        seconds: Int
    ) async throws {
        let systemd = try Systemd(environment: environment, process: 1)
        let reader = try SettingsReader(file: "", environment: [:])
        let parsed = try ServeCommand.parse([])
        #expect(try ServeSettings(parsed, reader, systemd: systemd).drainDelay == .seconds(seconds))
        let other = try ServeCommand.parse(["--drain-delay", "7s"])
        #expect(try ServeSettings(other, reader, systemd: systemd).drainDelay == .seconds(7))
    }

    @Test func `tests cannot control a server with a socket that systemd passes`() async throws {
        for name in ["http", "operators"] {
            let variables = ["LISTEN_FDS": "1", "LISTEN_PID": "1", "LISTEN_FDNAMES": name]
            let systemd = try Systemd(environment: variables, process: 1)
            let parsed = try ServeCommand.parse(["--test-control", "--admin-port", "0"])
            let reader = try SettingsReader(file: "", environment: [:])
            #expect(throws: ValidationError.self) { try ServeSettings(parsed, reader, systemd: systemd) }
        }
    }

    @Test func `the demonstration stores nothing`() async throws {
        #expect(try await settings("--demo").accounts.database == nil)
    }

    @Test func `sites and apps share the passkeys of the public address`() async throws {
        let bytes = (1...32).map { UInt8($0) }
        let fingerprint = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
        let settings = try await settings(
            """
            --public-url https://shop.example:443/path \
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
        #expect(
            files["apple-app-site-association"] == ["webcredentials": ["apps": ["A1B2C3D4E5.com.example.shop"]]]
        )
        let link = files["assetlinks.json"]?.array?.first?["target"]
        #expect(link?["package_name"] == "com.example.shop")
        #expect(link?["sha256_cert_fingerprints"] == [.string(fingerprint.uppercased())])
    }

    @Test func `without a public address, passkeys are for this machine, and for a domain only`() async throws {
        let local = try await settings()
        #expect(local.relyingParty(at: "http://127.0.0.1:8080")?.origins == ["http://localhost:8080"])
        #expect(local.relyingParty(at: "https://[::1]:8443/a")?.origins == ["https://localhost:8443"])
        #expect(local.relyingParty(at: "/run/understudy.sock") == nil)
        #expect(local.service.wellKnown.isEmpty)
        for address in ["https://192.0.2.1", "https://[2001:db8::1]:8443"] {
            #expect(try await settings("--public-url \(address)").relyingParty(at: "http://127.0.0.1:1") == nil)
        }
    }

    @Test(arguments: [
        (
            ["--related-origins", "http://shop.example"],
            "The value 'http://shop.example' is invalid for 'related-origins': 'http://shop.example' is not the origin"
        ),
        (
            ["--related-origins", "https://shop.example/path"],
            "The value 'https://shop.example/path' is invalid for 'related-origins': "
        ),
        (["--apple-apps", "com.example.shop"], "The value 'com.example.shop' is invalid for 'apple-apps': "),
        (
            ["--android-apps", "com.example.shop=14:6D"],
            "The value 'com.example.shop=14:6D' is invalid for 'android-apps'"
        ),
        (
            ["--apple-apps", "A1B2C3D4E5.com.example.shop"],
            "Sites and apps share the passkeys of '--public-url': set it."
        ),
        (
            ["--allowed-hosts", "https://app.example"],
            "The value 'https://app.example' is invalid for 'allowed-hosts': "
        ),
        (["--allowed-origins", "app.example"], "The value 'app.example' is invalid for 'allowed-origins': "),
        (
            ["--image-origins", "http://images.example"],
            "The value 'http://images.example' is invalid for 'image-origins': "
        ),
        (["--image-origins", "https://*.example"], "The value 'https://*.example' is invalid for 'image-origins': "),
        (["--trusted-proxies", "10.0.0.1/8"], "The value '10.0.0.1/8' is invalid for 'trusted-proxies': "),
        (["--socket", "/s", "--port", "1"], "'--socket' replaces '--host' and '--port': give one or the other."),
        (["--tls-key", "/k"], "'--tls-certificate' and '--tls-key' belong together: give both or neither."),
        (["--test-control"], "'--test-control' adds endpoints to the port for operators: set it with '--admin-port'"),
        (["--test-control", "--admin-port", "off"], "'--test-control' adds endpoints to the port for operators"),
        (
            ["--test-control", "--admin-port", "0", "--host", "0.0.0.0"],
            "'--test-control' lets a client reset the server"
        ),
        (["--test-control", "--admin-port", "0", "--host", "app.example"], "'--test-control' lets a client reset"),
        (["--test-control", "--admin-port", "0", "--admin-host", "::"], "'--test-control' lets a client reset"),
        (
            ["--test-control", "--admin-port", "0", "--public-url", "https://app.example"],
            "'--test-control' is for tests on this machine: it cannot be combined with '--public-url'."
        ),
        (
            ["--dev", "--host", "0.0.0.0"],
            "'--dev' shows all that a session stores: '--host' must be a loopback address"
        ),
        (
            ["--dev", "--public-url", "https://app.example"],
            "'--dev' is for this machine only: it cannot be combined with '--public-url'."
        ),
    ])
    func `values that contradict each other, and lists with an invalid entry, are errors`(
        arguments: [String],
        beginning: String
    ) async throws {
        let result = try await Application.bundled.run(["config"] + arguments)
        result.expect(status: 64, output: [])
        #expect(result.errors.count == 1)
        #expect(result.errors.first?.hasPrefix("error: \(beginning)") == true, "\(result.errors)")
    }

    private func allowed(_ hosts: String...) throws -> AllowedHosts {
        var allowed = AllowedHosts()
        for host in hosts { try allowed.allow(host) }
        return allowed
    }
}
