import MicroHTTP

/// The address for operators.
struct AdminSettings {
    let host: String
    /// The port; `nil` if it is switched off.
    let port: UInt16?
    let hostPolicy: HostPolicy
    /// Whether the port was set. Then the server does not start without it; the default port may be taken.
    let isRequired: Bool

    init(_ options: ObservabilityOptions, hostPolicy: HostPolicy, _ settings: SettingsReader) throws {
        self.hostPolicy = hostPolicy
        host = try settings.value(options.adminHost, Settings.adminHost)
        let port = try settings.value(options.adminPort, Settings.adminPort)
        isRequired = port != nil
        self.port = port.map(\.value) ?? 9090
    }
}
