/// Why a server cannot start.
public enum ServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The host is neither an IP address nor a known name.
    case unknownHost(String, reason: String)
    /// Another process listens on the port.
    case addressInUse(host: String, port: UInt16)
    /// The server cannot listen on the port.
    case cannotListen(host: String, port: UInt16, reason: String)
    /// Another process listens on the Unix domain socket at the path.
    case socketInUse(path: String)
    /// The server cannot create a Unix domain socket at the path.
    case cannotListenOnSocket(path: String, reason: String)
    /// The descriptor that was handed over is not a listening socket.
    case cannotTake(descriptor: Int32)
    /// The installed libmicrohttpd misreads this head of a request in a way that the server cannot notice.
    case unsuitableLibrary(version: String, head: String)
    /// The server cannot start an event loop, for example because the process has no descriptor left.
    case cannotStart(reason: String)

    public var description: String {
        switch self {
        case .unknownHost(let host, let reason): "cannot find the host '\(host)': \(reason)"
        case .addressInUse(let host, let port): "port \(port) on \(host) is already in use"
        case .cannotListen(let host, let port, let reason): "cannot listen on \(host) port \(port): \(reason)"
        case .socketInUse(let path): "the socket '\(path)' is already in use"
        case .cannotListenOnSocket(let path, let reason): "cannot listen on the socket '\(path)': \(reason)"
        case .cannotTake(let descriptor): "descriptor \(descriptor) is not a listening socket"
        case .unsuitableLibrary(let version, let head):
            "libmicrohttpd \(version) is not supported: it misreads \(head.debugDescription)"
        case .cannotStart(let reason): "cannot start the event loop: \(reason)"
        }
    }
}
