public import Accounts
import BusinessLogic
import Testing

/// What every store of accounts has to do.
public enum AccountStoreSuite {
    /// All of it, each to be checked with a fresh store.
    public static let behaviours = finding + conflicts + changes + endings
}

extension Account {
    /// An account whose names all begin alike.
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

    /// The bytes of all its texts. Two texts that are equal may differ in them.
    var bytes: [[UInt8]?] {
        [id.text, name, email, username, userID, contactEmail, passwordHash].map { $0.map { Array($0.utf8) } }
    }
}

/// Expects the accounts to be the same, byte by byte.
func expectSame(_ left: Account?, _ right: Account?, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(left == right, sourceLocation: sourceLocation)
    #expect(left?.bytes == right?.bytes, sourceLocation: sourceLocation)
}
