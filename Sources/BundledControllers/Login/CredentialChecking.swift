public import BusinessLogic

/// Checks usernames and passwords.
public protocol CredentialChecking: Sendable {
    /// The user with that name and password, who may have to prove more; `nil` if the login fails.
    ///
    /// - Parameters:
    ///   - username: the name, as the user typed it.
    ///   - password: the password, as the user typed it.
    ///   - client: the client that logs in.
    /// - Throws: if the credentials cannot be checked now. The attempt does not count then.
    func verify(username: String, password: String, for client: ClientContext) async throws -> VerifiedUser?
}

extension CredentialChecking {
    /// The user with that name and password; `nil` if the login fails, or if a second factor must complete it.
    ///
    /// - Throws: as ``verify(username:password:for:)``.
    public func authenticate(username: String, password: String, for client: ClientContext) async throws -> User? {
        let verified = try await verify(username: username, password: password, for: client)
        return verified?.proof == nil ? verified?.user : nil
    }
}

/// A user whose password is right.
public struct VerifiedUser: Equatable, Sendable {
    /// The user.
    public let user: User
    /// If a second factor must complete the login, what identifies the password that was verified; otherwise `nil`.
    public let proof: String?

    /// Creates a user whose password is right.
    public init(_ user: User, proof: String? = nil) {
        self.user = user
        self.proof = proof
    }
}

/// As a user, with the proof as a further member.
extension VerifiedUser: Codable {
    private enum CodingKeys: CodingKey {
        case proof
    }

    public init(from decoder: any Decoder) throws {
        user = try User(from: decoder)
        proof = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .proof)
    }

    public func encode(to encoder: any Encoder) throws {
        try user.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(proof, forKey: .proof)
    }
}

/// A check against a few fixed usernames and passwords in plain text, for demonstrations and tests.
public struct FixedCredentials: CredentialChecking {
    private let passwords: [String: String]
    private let others: (any CredentialChecking)?

    /// A check against some passwords.
    ///
    /// - Parameters:
    ///   - passwords: the passwords, by username. Without any, no user can log in.
    ///   - others: verifies the passwords of all other users; `nil` if these cannot log in.
    public init(_ passwords: [String: String] = [:], others: (any CredentialChecking)? = nil) {
        self.passwords = passwords
        self.others = others
    }

    public func verify(username: String, password: String, for client: ClientContext) async throws -> VerifiedUser? {
        guard let right = passwords[username] else {
            return try await others?.verify(username: username, password: password, for: client)
        }
        return right == password ? VerifiedUser(User(username: username)) : nil
    }
}
