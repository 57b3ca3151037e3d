public import BusinessLogic

/// Saves the user IDs that users register.
public protocol UserIDSaving: Sendable {
    /// Saves a user ID.
    ///
    /// - Parameters:
    ///   - userID: a valid user ID.
    ///   - client: the client whose user registers it.
    /// - Returns: `false` if another user has this user ID; nothing is saved then.
    /// - Throws: if it cannot be saved now.
    func save(userID: String, for client: ClientContext) async throws -> Bool
}
