import TestSupport

/// The behaviour of every store of accounts.
public enum AccountStoreSuite {
    static let ada = Account.sample("ada")
    static let bob = Account.sample("bob")
    /// All behaviours. Check each with an empty store.
    public static let behaviours = finding + conflicts + changes + revocations
}

extension Account {
    /// An account with names that begin with `name`.
    public static func sample(_ name: String, userID: String? = nil, created: Int64 = 1_700_000_000_123) -> Account {
        Account(
            name: name,
            email: "\(name)@example.org",
            username: name,
            userID: userID,
            passwordHash: "$argon2id$\(name)",
            created: Timestamp(milliseconds: created)
        )
    }

    /// The bytes of all texts, which may differ in texts that are equal.
    var bytes: [[UInt8]?] {
        [id.text, name, email, username, userID, contactEmail, passwordHash].map { $0.map { Array($0.utf8) } }
    }
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
