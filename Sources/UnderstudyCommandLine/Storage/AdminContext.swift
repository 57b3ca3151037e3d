import Accounts
import AccountsDatabase
import BusinessLogic
import Glibc
import SessionStorage
import Understudy

/// The database and the account service of an administrative command. A server may use the same database at the same time.
struct AdminContext {
    let database: any Database
    /// Use ``change(_:)`` for changes.
    let service: AccountService
    let clock: any WallClock
    private let audit: any AuditLog

    /// Opens only the database, for a command that changes no account.
    ///
    /// - Parameter isNew: whether to create the database if it is missing.
    /// - Throws: ``CommandError`` if it is missing and `isNew` is false.
    static func database(_ storage: StorageOptions, creating isNew: Bool = false) async throws -> any Database {
        try await open(storage, storage.configuration.settings(), creating: isNew).database
    }

    /// Opens the database with its clock.
    ///
    /// - Parameter isNew: whether to create the database if it is missing.
    /// - Throws: ``CommandError`` if it is missing and `isNew` is false.
    static func open(
        _ storage: StorageOptions,
        _ settings: SettingsReader,
        creating isNew: Bool
    ) async throws -> OpenedDatabase {
        let location = try storage.databaseLocation(settings)
        if !isNew, !location.exists {
            throw CommandError("There is no database '\(location.name)': name it with '--database' or '--data'.")
        }
        let name = location.name
        return try await location.open { error in
            Terminal.printError("The database '\(name)' is not available: \(error)")
        }
    }

    /// Opens the database with its audit log.
    ///
    /// - Parameters:
    ///   - operator: who makes the changes.
    ///   - passwords: how to hash passwords, for a command that does.
    ///   - isNew: whether to create the database if it is missing.
    /// - Throws: ``CommandError`` if it is missing and `isNew` is false.
    init(
        _ storage: StorageOptions,
        _ operator: OperatorOptions,
        _ passwords: PasswordOptions?,
        _ settings: SettingsReader,
        creating isNew: Bool = false
    ) async throws {
        let opened = try await Self.open(storage, settings, creating: isNew)
        let recorded = `operator`.log(in: opened.database)
        audit = recorded
        database = opened.database
        clock = opened.clock ?? SystemClock()
        service = AccountService(
            accounts: database,
            throttles: database,
            hasher: try passwords?.hashing(settings).hasher() ?? PasswordHasher(workers: 1),
            clock: clock,
            audit: recorded
        )
    }

    /// Changes accounts in one transaction, in which the audit log records them. If another process changes the same account
    /// meanwhile, calls `body` again.
    ///
    /// - Throws: what `body` throws; `AccountConflict`; ``/BusinessLogic/CollaboratorError``.
    func change<Value>(_ body: (AccountService) async throws -> Value) async throws -> Value {
        var attempts = 5
        while true {
            attempts -= 1
            let work = UnitOfWork(database: ObjectIdentifier(database))
            do {
                let value = try await UnitOfWork.$ofTask.withValue(work) { try await body(service) }
                try await database.commit(work)
                return value
            } catch is DataHaveChanged where attempts > 0 {
                continue
            } catch is DataHaveChanged {
                throw CommandError("The account was changed by other programs at the same time: try again.")
            }
        }
    }

    /// Records a change that the account service does not make.
    func record(_ kind: AuditEvent.Kind, account: AccountID? = nil, reason: String) async {
        await audit.record(AuditEvent(kind, at: clock.now, account: account, reason: reason))
    }
}

extension Database {
    /// Returns which of these values another account already has; `nil` if no account has any of them.
    func conflict(_ email: AccountKey, _ username: AccountKey, _ userID: String?) async throws -> AccountConflict? {
        if try await account(email: email) != nil { return .email }
        if try await account(username: username) != nil { return .username }
        if let userID, try await account(userID: userID) != nil { return .userID }
        return nil
    }

    /// Returns the account with a username, an email address or an id.
    ///
    /// - Throws: ``CommandError`` if there is no such account.
    func knownAccount(_ name: String) async throws -> Account {
        guard let account = try await account(named: name) else { throw CommandError.unknownAccount(name) }
        return account
    }
}
