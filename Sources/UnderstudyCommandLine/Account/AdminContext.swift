import Accounts
import AccountsSQLite
import BusinessLogic
import Glibc
import Understudy

/// Where an operator's command works: a database that a server may be using at the same time.
struct AdminContext {
    let database: SQLiteDatabase
    let service: AccountService
    let clock = SystemClock()

    /// Opens the database for looking at it only.
    static func database(_ storage: StorageOptions, creating isNew: Bool = false) async throws -> SQLiteDatabase {
        try database(storage, await storage.configuration.settings(), creating: isNew)
    }

    private static func database(
        _ storage: StorageOptions,
        _ settings: SettingsReader,
        creating isNew: Bool
    ) throws -> SQLiteDatabase {
        let file = try storage.databaseFile(settings)
        guard isNew || access(file.path, F_OK) == 0 else { throw CommandError("There is no database '\(file.path)'.") }
        let path = try file.prepared()
        return try SQLiteDatabase(path: path) { error in
            Terminal.printError("The database '\(path)' does not answer: \(error)")
        }
    }

    /// Opens the database and the audit log.
    ///
    /// - Parameters:
    ///   - passwords: how passwords are hashed, where any are.
    ///   - isNew: whether to create the database where there is none.
    init(
        _ storage: StorageOptions,
        _ audit: AuditOptions,
        _ passwords: PasswordOptions?,
        _ settings: SettingsReader,
        creating isNew: Bool = false
    ) throws {
        database = try Self.database(storage, settings, creating: isNew)
        let audit = try AuditFile(path: audit.file(in: storage, settings).prepared()) { error in
            Terminal.printError("The audit log cannot be written: \(error)")
        }
        service = AccountService(
            accounts: database,
            throttles: database,
            hasher: try passwords?.hasher(settings) ?? PasswordHasher(workers: 1),
            clock: clock,
            audit: audit
        )
    }
}

extension SQLiteDatabase {
    /// What of these somebody has already.
    func conflict(_ email: AccountKey, _ username: AccountKey, _ userID: String?) async throws -> AccountConflict? {
        if try await account(email: email) != nil { return .email }
        if try await account(username: username) != nil { return .username }
        if let userID, try await account(userID: userID) != nil { return .userID }
        return nil
    }

    /// The account that is meant.
    ///
    /// - Throws: ``CommandError`` where there is none.
    func knownAccount(_ name: String) async throws -> Account {
        guard let account = try await account(named: name) else { throw CommandError.unknownAccount(name) }
        return account
    }
}

/// Why something is not done, as a person is told.
struct CommandError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    static func unknownAccount(_ name: String) -> CommandError {
        CommandError("There is no account '\(name)'.")
    }
}

extension CollaboratorError {
    /// What a person is told; `nil` where they have been told already.
    var explanation: String? {
        switch self {
        case .unavailable: nil
        case .overloaded, .tooManyRequests: "There is not enough memory to hash a password; see '--hash-memory'."
        }
    }
}
