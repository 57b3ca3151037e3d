/// Where a server listens.
public struct ServerAddress: Equatable, Sendable, CustomStringConvertible {
    /// The IP address as text; empty for a Unix domain socket.
    public let host: String
    /// The port; 0 for a Unix domain socket.
    public let port: UInt16
    /// The path of a Unix domain socket; `nil` if the server listens on a port.
    public let path: String?

    init(_ address: SocketAddress) {
        path = address.path
        (host, port) = path == nil ? address.numeric : ("", 0)
    }

    init(path: String) {
        (host, port) = ("", 0)
        self.path = path
    }

    /// `127.0.0.1:8080`, `[::1]:8080`, or `unix:/run/understudy.sock`.
    public var description: String {
        if let path { return "unix:\(path)" }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
