import ArgumentParser
import MicroHTTP

/// The address for operators.
struct AdminSettings {
    var host = ""
    /// The port; `nil` if the setting is `off`.
    private(set) var port: UInt16?
    /// The descriptor of a listening socket that systemd passes. The server uses it instead of any other address.
    private(set) var socket: Int32?
    private var hostPolicy = HostPolicy.never
    /// Whether a setting or systemd names the port. If so, the server does not start without it. The default port may be in use.
    private(set) var isRequired = false
    /// The token with which operators log in; `nil` if the address has no pages.
    private(set) var token: OperatorToken?

    /// - Throws: `ValidationError` if a value is invalid, or there is a token but no address.
    mutating func read(_ reader: SettingsReader, hostPolicy: HostPolicy, socket: Int32?) throws {
        self.hostPolicy = hostPolicy
        self.socket = socket
        let port = try reader.value(Settings.adminPort)
        isRequired = port != nil || socket != nil
        self.port = port ?? 9090
        token = try reader.value(Settings.adminTokenFile).map { OperatorToken(path: $0) }
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
