import ArgumentParser

/// `understudy status`.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("status")

    @Option(help: "The address for operators. (default: 127.0.0.1)")
    var adminHost: String?

    @Option(help: "The port for operators. (default: 9090)", transform: TextParser.port.parse)
    var adminPort: UInt16?

    @Option(help: "The time to wait for each response. (default: 10s)", transform: TextParser.duration.parse)
    var timeout: Duration?

    @OptionGroup
    var configuration: ConfigurationOptions

    func run() async throws {
        let settings = try configuration.settings()
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
