/// Where a server can listen instead of on a port.
public enum ListenAddress: Equatable, Sendable {
    /// A Unix domain socket at a path of at most 107 bytes. Its file gets the mode, such as `0o660`. The server replaces the socket file of
    /// a server that no longer runs.
    case unixSocket(path: String, mode: UInt32)
    /// A listening socket that another process, such as systemd, has opened, and keeps open after the server has stopped. The server owns
    /// the descriptor and closes it, even if the server cannot start.
    case handedOver(descriptor: Int32)
}
