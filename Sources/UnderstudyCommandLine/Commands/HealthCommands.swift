import ArgumentParser

/// `understudy healthcheck`.
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

/// `understudy status`.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("status")

    @Option(help: "The address for operators. (default: 127.0.0.1)")
    var adminHost: String?

    @Option(help: "The port for operators. (default: 9090)", transform: TextParser.port.parse)
    var adminPort: UInt16?

    @Option(help: "The time to wait for each response. (default: 10s)", transform: TextParser.duration.parse)
    var timeout: Duration?

    @Option(help: .configurationFile)
    var config: String?

    func run() async throws {
        let settings = try SettingsReader(file: config)
        guard let port = try adminPort ?? settings.value(Settings.adminPort) ?? 9090 else {
            throw ValidationError("The port for operators is off: set 'admin-port'.")
        }
        let host = try settings.value(Settings.adminHost, option: adminHost)
        let client = try HTTPClient(
            HTTPClient.Target(host: host, port: port),
            // The server asks a database for the other servers, and waits for it while it is not available.
            timeout: timeout ?? .seconds(10)
        )
        // First, because another program can have an endpoint '/readyz'.
        let status = try client.get("/status")
        guard status.isOK, status.hasRequestID, status.body.hasPrefix("Health ") else {
            throw client.failure("it is not the port for operators of Understudy")
        }
        let health = try client.get("/readyz")
        for line in status.body.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            Terminal.print(String(line).printable)
        }
        guard health.isOK else { throw ExitCode(1) }
    }
}
