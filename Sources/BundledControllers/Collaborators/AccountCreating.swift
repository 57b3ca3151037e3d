public import BusinessLogic

/// Creates the accounts of users who sign up.
///
/// If an account works at once, a client can find out whether another user has an account: it signs up with that user's address, and
/// then logs in with the password that it has just chosen. If the login fails, there was an account. To prevent this, return a sign-up to
/// confirm, so that an account works only once its address is confirmed.
public protocol AccountCreating: Sendable {
    /// Creates an account that works at once, or one that works after its address has been confirmed with a code.
    ///
    /// When this returns, the account is stored for good, or an account had that email address already. Both cases take the same time and
    /// give the client the same response.
    ///
    /// - Parameters:
    ///   - name: the name of its owner.
    ///   - email: a valid email address.
    ///   - password: a password that the policy accepts.
    ///   - client: the client that signs up.
    /// - Returns: the sign-up to confirm on the page `verify`; `nil` if nothing must be confirmed.
    /// - Throws: if the account cannot be created now. The attempt does not count then.
    func signUp(
        name: String,
        email: String,
        password: String,
        for client: ClientContext
    ) async throws -> UnconfirmedSignup?
}

/// A sign-up whose address must be confirmed with a code that was sent to it.
public struct UnconfirmedSignup: Codable, Equatable, Sendable {
    /// Identifies the sign-up: ``PendingCode/signup``.
    public let id: String
    /// The salted hash of the code: ``PendingCode/hash``.
    public let codeHash: String

    /// Creates a sign-up.
    public init(id: String, codeHash: String) {
        self.id = id
        self.codeHash = codeHash
    }
}
