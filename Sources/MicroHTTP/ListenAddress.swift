/// Where a server can listen instead of on a port.
public enum ListenAddress: Equatable, Sendable {
    /// A Unix domain socket at a path, whose file gets the given mode. A socket file that another server left there is replaced.
    case unixSocket(path: String, mode: UInt32)
    /// A socket on which another process listens before and after the server does, such as systemd. The server owns the descriptor
    /// and closes it, even if it cannot start.
    case handedOver(descriptor: Int32)
}
