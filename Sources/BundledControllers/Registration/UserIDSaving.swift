public import BusinessLogic

/// Keeps the user IDs that have been registered.
public protocol UserIDSaving: Sendable {
    /// Keeps a user ID.
    ///
    /// - Parameters:
    ///   - userID: the user ID, which is valid.
    ///   - client: whose it is.
    /// - Returns: `false` where it belongs to somebody else; nothing has been kept then.
    /// - Throws: where it could not be kept.
    func save(userID: String, for client: ClientContext) async throws -> Bool
}

/// Keeps nothing beyond the session.
public struct NoUserIDSaving: UserIDSaving {
    /// A place that keeps nothing.
    public init() {}

    public func save(userID: String, for client: ClientContext = ClientContext()) -> Bool { true }
}
