import ArgumentParser
import Glibc

/// `understudy status`.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract:
            "Print how a running server is: its health, sessions, requests, problems and last errors since its start.",
        discussion: """
            It asks the port for operators, which --admin-host, --admin-port, UNDERSTUDY_ADMIN_PORT or the configuration file \
            name. The exit status is 0 if the server accepts requests, and 1 if it does not or cannot be reached.
            """
    )

    @Option(help: "The address for operators. (default: 127.0.0.1)")
    var adminHost: String?

    @Option(help: "The port for operators. (default: 9090)")
    var adminPort: UInt16?

    @OptionGroup
    var configuration: ConfigurationOptions

    @Option(help: "The time to wait for each response. (default: 3s)")
    var timeout: TimeSpan?

    func run() async throws {
        let settings = try await configuration.settings()
        let setting = try settings.value(adminPort.map { ValueOrOff($0) }, Settings.adminPort) ?? ValueOrOff(9090)
        guard let port = setting.value else {
            throw ValidationError("The port for operators is off: set 'admin-port'.")
        }
        let host = try settings.value(adminHost, Settings.adminHost)
        let timeout = timeout?.duration ?? .seconds(3)
        guard timeout > .zero else { throw ValidationError("'--timeout' must be longer than 0.") }
        let probe = HealthProbe(target: .port(host: host, port), isEncrypted: false, timeout: timeout)
        do {
            let health = try probe.get("/readyz")
            let metrics = try probe.get("/metrics")
            guard metrics.status == 200, let samples = MetricSamples(metrics.body) else {
                throw HealthProbe.Failure(reason: "it is not the port for operators of Understudy")
            }
            // A server of an earlier version does not have them.
            let errors = try probe.get("/errors")
            let status = ServerStatus(
                health: health,
                samples: samples,
                errors: errors.status == 200 ? errors.body.split(separator: "\n").map(String.init) : [],
                now: Double(time(nil))
            )
            for line in status.lines { Terminal.print(line.printable) }
            guard health.status == 200 else { throw ExitCode(1) }
        } catch let failure as HealthProbe.Failure {
            Terminal.printError("\(probe.target): \(failure.reason)")
            throw ExitCode(1)
        }
    }
}
