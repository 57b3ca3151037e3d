public import BusinessLogic

/// Knows whose password is right.
public protocol CredentialChecking: Sendable {
    /// The user whose name and password these are, or `nil` where they are nobody's.
    ///
    /// - Parameters:
    ///   - username: the name, as it was typed.
    ///   - password: the password, as it was typed.
    ///   - client: who asks.
    /// - Throws: where it cannot be found out now. No attempt is spent then.
    func authenticate(username: String, password: String, for client: ClientContext) async throws -> User?
}

/// Nobody's credentials are right.
public struct NoCredentials: CredentialChecking {
    /// A check that nobody passes.
    public init() {}

    public func authenticate(username: String, password: String, for client: ClientContext = ClientContext()) -> User? {
        nil
    }
}

/// A handful of accounts known beforehand, for demonstrations and tests: names and passwords in plain text.
public struct FixedCredentials: CredentialChecking {
    private let passwords: [String: String]

    /// The accounts, as passwords by username.
    public init(_ passwords: [String: String]) {
        self.passwords = passwords
    }

    public func authenticate(username: String, password: String, for client: ClientContext = ClientContext()) -> User? {
        passwords[username] == password ? User(username: username) : nil
    }
}
