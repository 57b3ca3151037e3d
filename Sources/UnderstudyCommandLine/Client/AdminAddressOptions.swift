import ArgumentParser

/// The options that name the port for operators of a running server, for commands that ask it.
struct AdminAddressOptions: ParsableArguments {
    @Option(help: "The address for operators. (default: 127.0.0.1)")
    var adminHost: String?

    @Option(help: "The port for operators. (default: 9090)")
    var adminPort: UInt16?

    @Option(help: "The time to wait for each response. (default: 3s)")
    var timeout: TimeSpan?

    /// A client of that port.
    ///
    /// - Throws: `ValidationError` if the port is off, or a value is invalid.
    func client(_ settings: SettingsReader) throws -> HTTPClient {
        let setting = try settings.value(adminPort.map { ValueOrOff($0) }, Settings.adminPort) ?? ValueOrOff(9090)
        guard let port = setting.value else {
            throw ValidationError("The port for operators is off: set 'admin-port'.")
        }
        let timeout = timeout?.duration ?? .seconds(3)
        guard timeout > .zero else { throw ValidationError("'--timeout' must be longer than 0.") }
        let host = try settings.value(adminHost, Settings.adminHost)
        return HTTPClient(target: .port(host: host, port), isEncrypted: false, timeout: timeout)
    }
}
