/// The behaviour of every store of accounts.
public enum AccountStoreSuite {
    /// All behaviours. Check each with an empty store.
    public static let behaviours = finding + conflicts + changes + revocations
}

extension Account {
    package static let ada = sample("ada")
    package static let bob = sample("bob")

    /// An account with names that begin with `name`.
    public static func sample(
        _ name: String,
        email: String? = nil,
        username: String? = nil,
        userID: String? = nil,
        created: Int64 = 1_700_000_000_123
    ) -> Account {
        Account(
            name: name,
            email: email ?? "\(name)@example.org",
            username: username ?? name,
            userID: userID,
            passwordHash: "$argon2id$\(name)",
            created: .ms(created)
        )
    }

    /// The bytes of all texts, which may differ in texts that are equal.
    var bytes: [[UInt8]?] { [id.text, name, email, username, userID, contactEmail, passwordHash].map { $0?.bytes } }
}

extension AccountStore {
    /// All accounts, in the order of their usernames.
    package var all: [Account] { get async throws { try await accounts(after: nil, limit: .max) } }
    package var usernames: [String] { get async throws { try await all.map(\.username) } }

    package var revocations: [SessionRevocation] { get async throws { try await sessionRevocations(after: 0) } }

    package func account(username: String) async throws -> Account? {
        try await account(username: AccountKey(username))
    }

    package func account(email: String) async throws -> Account? { try await account(email: AccountKey(email)) }

    /// Changes an account whose sessions stay.
    @discardableResult
    package func change(
        _ id: AccountID,
        _ change: @escaping @Sendable (inout Account) throws -> Void
    ) async throws -> Account? {
        try await self.change(id, revokingSessions: false, change)
    }

    /// Ends the sessions of an account.
    package func revokeSessions(of id: AccountID) async throws { try await change(id, revokingSessions: true) { _ in } }
}

/// Expects the accounts to be equal byte by byte.
func expectSame(_ left: Account?, _ right: Account?, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(left == right, sourceLocation: sourceLocation)
    #expect(left?.bytes == right?.bytes, sourceLocation: sourceLocation)
}

extension Passkey {
    /// A passkey, whose ID is that number.
    static func sample(_ number: UInt8) -> Passkey {
        Passkey(
            id: [number],
            algorithm: .es256,
            publicKey: [4, number, 255],
            isBackupEligible: true,
            counter: 7,
            isBackedUp: false
        )
    }
}
