/// Where a server can listen, beside a host's port.
public enum ListenAddress: Equatable, Sendable {
    /// A Unix domain socket at a path, made with that mode. A file that a server left behind there is replaced.
    case unixSocket(path: String, mode: UInt32)
    /// A socket that somebody else has made and goes on listening on when the server has stopped: systemd, for one. The
    /// descriptor is the server's, which closes it, also where it cannot start.
    case handedOver(descriptor: Int32)
}
