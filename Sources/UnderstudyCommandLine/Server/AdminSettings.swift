import ArgumentParser
import MicroHTTP

/// The address for operators.
struct AdminSettings {
    /// Where the server listens, unless ``isOff``. The descriptor of a socket that systemd passes replaces any other address.
    private(set) var server = ServerConfiguration()
    private var isOff = false
    /// Whether a setting or systemd names the port. If so, the server does not start without it. The default port may be in use.
    private(set) var isRequired = false
    /// The token with which operators log in; `nil` if the address has no pages.
    private(set) var token: OperatorToken?

    /// - Throws: `ValidationError` if a value is invalid, or there is a token but no address.
    mutating func read(_ reader: SettingsReader, _ host: String, _ hostPolicy: HostPolicy, socket: Int32?) throws {
        let port = try reader.value(Settings.adminPort)
        server.host = host
        server.hostPolicy = hostPolicy
        server.port = (port ?? 9090) ?? 0
        server.address = socket.map { .handedOver(descriptor: $0) }
        isOff = port == .some(nil) && socket == nil
        isRequired = port != nil || socket != nil
        token = try reader.value(Settings.adminTokenFile).map { OperatorToken(path: $0) }
        if token != nil, isOff {
            throw ValidationError(
                "'--admin-token-file' is for the port for operators, which '--admin-port off' does not open."
            )
        }
    }

    /// The configuration of the server for operators; `nil` if it is switched off.
    var configuration: ServerConfiguration? { isOff ? nil : server }
}
