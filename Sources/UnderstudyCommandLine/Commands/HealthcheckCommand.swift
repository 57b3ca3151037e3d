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

    @OptionGroup
    var configuration: ConfigurationOptions

    @Option(help: "The time to wait for the response. (default: 3s)", transform: TextParser.duration.parse)
    var timeout: Duration?

    func run() async throws {
        let settings = try configuration.settings()
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
