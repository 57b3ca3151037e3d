import ArgumentParser

struct HealthcheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("healthcheck")

    @Option(help: "The server's address or host name. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The server's port. (default: 8080)", transform: TextParser.port.parse)
    var port: UInt16?

    @Option(help: "The path of the server's Unix domain socket, instead of host and port.")
    var socket: String?

    @Flag(help: "Use TLS, and accept any certificate. This is the default if a setting names a certificate.")
    var tls = false

    @Option(help: .configurationFile)
    var config: String?

    @Option(help: "The time to wait for the response. (default: 3s)", transform: TextParser.duration.parse)
    var timeout: Duration?

    func run() async throws {
        let settings = try SettingsReader(file: config)
        let target = try HTTPClient.Target(
            host: settings.value(Settings.host, option: host),
            port: port ?? settings.value(Settings.port),
            path: settings.socketPath(option: socket, namesPort: host != nil || port != nil)
        )
        let isEncrypted = try settings.value(Settings.tlsCertificate) != nil || tls
        let client = try HTTPClient(target, isEncrypted: isEncrypted, timeout: timeout)
        let response = try client.get("/livez")
        guard response.isOK else { throw client.failure("it responded with '\(response.statusLine)'") }
        guard response.hasRequestID, response.body == "ok\n" else {
            throw client.failure("it is not a server of Understudy")
        }
    }
}

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("status")

    @Option(help: "The address for operators. (default: 127.0.0.1)")
    var adminHost: String?

    @Option(help: "The port for operators. (default: 9090)", transform: TextParser.port.parse)
    var adminPort: UInt16?

    @Flag(help: "Print the addresses and accounts with the most failed logins instead.")
    var attackers = false

    @Option(help: "The time to wait for each response. (default: 10s)", transform: TextParser.duration.parse)
    var timeout: Duration?

    @Option(help: .configurationFile)
    var config: String?

    func run() async throws {
        let client = try HTTPClient(
            operatorsOf: SettingsReader(file: config),
            host: adminHost,
            port: adminPort,
            timeout: timeout
        )
        if attackers { return try client.printReport("/attackers") }
        // First, because another program can have an endpoint '/readyz'.
        let status = try client.report("/status")
        let health = try client.get("/readyz")
        Terminal.print(status.joined(separator: "\n"))
        guard health.isOK else { throw ExitCode(1) }
    }
}

extension HTTPClient {
    /// A client of the port for operators. It waits ten seconds by default, because the server asks a database, and waits for it while it is
    /// not available.
    init(
        operatorsOf settings: SettingsReader,
        host: String? = nil,
        port: UInt16? = nil,
        timeout: Duration? = nil
    ) throws {
        guard let port = try port ?? settings.value(Settings.adminPort) ?? 9090 else {
            throw ValidationError("The port for operators is off: set 'admin-port'.")
        }
        let target = Target(host: try settings.value(Settings.adminHost, option: host), port: port)
        try self.init(target, timeout: timeout ?? .seconds(10))
    }

    /// The lines of a report of the server, which are printable. Throws ``CommandError`` also if another program has responded.
    func report(_ path: String) throws(CommandError) -> [String] {
        let response = try get(path)
        guard response.isOK, response.hasRequestID, response.body.first != "{", response.body.first != "<" else {
            throw failure("it is not the port for operators of Understudy")
        }
        let lines = response.body.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.dropLast().map { String($0).printable }
    }

    func printReport(_ path: String) throws(CommandError) {
        for line in try report(path) { Terminal.print(line) }
    }
}
