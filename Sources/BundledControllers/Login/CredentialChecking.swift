public import BusinessLogic

/// Checks usernames and passwords.
public protocol CredentialChecking: Sendable {
    /// The user with that name and password; `nil` if the login fails.
    ///
    /// - Parameters:
    ///   - username: the name, as the user typed it.
    ///   - password: the password, as the user typed it.
    ///   - client: the client that logs in.
    /// - Throws: if the credentials cannot be checked now. The attempt does not count then.
    func authenticate(username: String, password: String, for client: ClientContext) async throws -> User?
}

/// A check that rejects all credentials.
public struct NoCredentials: CredentialChecking {
    /// A check that rejects all credentials.
    public init() {}

    public func authenticate(username: String, password: String, for client: ClientContext = ClientContext()) -> User? {
        nil
    }
}

/// A check against a few fixed usernames and passwords in plain text, for demonstrations and tests.
public struct FixedCredentials: CredentialChecking {
    private let passwords: [String: String]

    /// A check against those passwords, by username.
    public init(_ passwords: [String: String]) {
        self.passwords = passwords
    }

    public func authenticate(username: String, password: String, for client: ClientContext = ClientContext()) -> User? {
        passwords[username] == password ? User(username: username) : nil
    }
}
