/// Where a server can listen, beside a host's port.
public enum ListeningPlace: Equatable, Sendable {
    /// A Unix domain socket at a path, made with that mode. A file that a server left behind there is replaced.
    case unixSocket(path: String, mode: UInt32)
}
