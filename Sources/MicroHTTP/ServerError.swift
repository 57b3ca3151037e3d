/// Why a server could not be started.
public enum ServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The host is no address and no known name.
    case unknownHost(String, reason: String)
    /// Somebody else listens there.
    case addressInUse(host: String, port: UInt16)
    /// It cannot be listened on there.
    case cannotListen(host: String, port: UInt16, reason: String)
    /// The event loop could not be started.
    case cannotStart(reason: String)

    public var description: String {
        switch self {
        case .unknownHost(let host, let reason): "cannot find the host '\(host)': \(reason)"
        case .addressInUse(let host, let port): "port \(port) on \(host) is already in use"
        case .cannotListen(let host, let port, let reason): "cannot listen on \(host) port \(port): \(reason)"
        case .cannotStart(let reason): "cannot start the event loop: \(reason)"
        }
    }
}
