/// When a service writes its sessions to its ``ServiceConfiguration/sessionStore``.
public enum SessionMode: String, CaseIterable, Sendable {
    /// Sessions are in memory. A server saves them when it stops, and restores them when it starts. If its process is killed, they are
    /// lost.
    case memory
    /// The service responds to an event only after it has stored the session. Several servers may share the store, behind any load
    /// balancer. Sessions are not recorded.
    case database
}
