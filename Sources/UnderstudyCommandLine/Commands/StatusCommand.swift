import ArgumentParser

/// `understudy status`.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract:
            "Print how a running server is: its health, the servers with the same database, sessions, requests, problems and last errors.",
        discussion: """
            It asks the port for operators, which --admin-host, --admin-port, UNDERSTUDY_ADMIN_PORT or the configuration file \
            name. The exit status is 0 if the server accepts requests, and 1 if it does not or cannot be reached.
            """
    )

    @OptionGroup
    var server: AdminAddressOptions

    @OptionGroup
    var configuration: ConfigurationOptions

    func run() async throws {
        let settings = try await configuration.settings()
        let client = try server.client(settings)
        do {
            let health = try client.send("GET", "/readyz")
            let status = try client.send("GET", "/status")
            guard status.status == 200 else {
                throw HTTPClient.Failure(reason: "it is not the port for operators of Understudy")
            }
            for line in status.body.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                Terminal.print(String(line).printable)
            }
            guard health.status == 200 else { throw ExitCode(1) }
        } catch let failure as HTTPClient.Failure {
            Terminal.printError("\(client.target): \(failure.reason)")
            throw ExitCode(1)
        }
    }
}
