import ArgumentParser
import MicroHTTP

/// The address for operators.
struct AdminSettings {
    let host: String
    /// The port; `nil` if the setting is `off`.
    let port: UInt16?
    /// The descriptor of a listening socket that systemd passes. The server uses it instead of any other address.
    let socket: Int32?
    let hostPolicy: HostPolicy
    /// Whether a setting or systemd names the port. If so, the server does not start without it. The default port may be in use.
    let isRequired: Bool
    /// The token with which operators log in; `nil` if the address has no pages.
    let token: OperatorToken?

    /// - Throws: `ValidationError` if a value is invalid, or there is a token but no address.
    init(
        _ options: ObservabilityOptions,
        hostPolicy: HostPolicy,
        socket: Int32?,
        _ settings: SettingsReader
    ) throws {
        self.hostPolicy = hostPolicy
        host = try settings.value(options.adminHost, Settings.adminHost)
        let port = try settings.value(options.adminPort, Settings.adminPort)
        self.socket = socket
        isRequired = port != nil || socket != nil
        self.port = port.map(\.value) ?? 9090
        token = try settings.value(options.adminTokenFile, Settings.adminTokenFile).map { OperatorToken(path: $0) }
        if token != nil, socket == nil, self.port == nil {
            throw ValidationError(
                "'--admin-token-file' is for the port for operators, which '--admin-port off' does not open."
            )
        }
    }

    /// The configuration of the server for operators; `nil` if it is switched off.
    var configuration: ServerConfiguration? {
        var configuration = ServerConfiguration()
        if let socket {
            configuration.address = .handedOver(descriptor: socket)
        } else if let port {
            configuration.host = host
            configuration.port = port
        } else {
            return nil
        }
        configuration.hostPolicy = hostPolicy
        return configuration
    }
}
