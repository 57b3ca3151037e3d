/// A session that has ended, as the hook of a page receives it.
public struct EndedSession: Hashable, Sendable {
    /// The key that the session's pages got as ``PageContext/sessionKey``.
    public let key: String

    /// Creates an ended session: for tests of a hook.
    public init(key: String) { self.key = key }
}
