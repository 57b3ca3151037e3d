public import BusinessLogic

/// Saves the email addresses of persons permanently.
public protocol PersonSaving: Sendable {
    /// Returns the address that the client's user has saved; `nil` if the user has saved no address.
    ///
    /// - Throws: if it cannot be read now.
    func savedEmail(for client: ClientContext) async throws -> String?

    /// Saves an email address.
    ///
    /// - Parameters:
    ///   - email: a valid address.
    ///   - client: the client whose user saves it.
    /// - Returns: `false` if no user is logged in, so that nothing is saved.
    /// - Throws: if it cannot be saved now.
    func save(email: String, for client: ClientContext) async throws -> Bool
}
