import MicroHTTP

/// The address for operators.
struct AdminSettings {
    let host: String
    /// The port; `nil` if the setting is `off`.
    let port: UInt16?
    let hostPolicy: HostPolicy
    /// Whether a setting names the port. If so, the server does not start without it. The default port may be in use.
    let isRequired: Bool

    init(_ options: ObservabilityOptions, hostPolicy: HostPolicy, _ settings: SettingsReader) throws {
        self.hostPolicy = hostPolicy
        host = try settings.value(options.adminHost, Settings.adminHost)
        let port = try settings.value(options.adminPort, Settings.adminPort)
        isRequired = port != nil
        self.port = port.map(\.value) ?? 9090
    }
}
