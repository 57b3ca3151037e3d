import Accounts
import AccountsDatabase
import BusinessLogic
import Glibc
import Understudy

extension StorageOptions {
    /// Opens the database with its clock.
    ///
    /// - Parameter isNew: whether to create the database if it is missing.
    /// - Throws: ``CommandError`` if it is missing and `isNew` is false.
    func open(_ settings: SettingsReader, creating isNew: Bool = false) async throws -> OpenedDatabase {
        let location = try databaseLocation(settings)
        let name = location.name
        if !isNew {
            guard location.exists else {
                throw CommandError("There is no database '\(name)': name it with '--database' or '--data'.")
            }
            if case .file(let file) = location, access(file.path, R_OK) != 0 {
                throw CommandError("The database '\(name)' cannot be opened: \(String(cString: strerror(errno))).")
            }
            // A path or URI that names another database by mistake must not get tables.
            if try await location.version() == 0 {
                throw CommandError("The database '\(name)' has no tables: 'database migrate' creates them.")
            }
        }
        return try await location.open { error in
            Terminal.printError("The database '\(name)' is not available: \(error)")
        }
    }

    /// The administration for a command.
    ///
    /// - Parameters:
    ///   - operator: who makes the changes; `nil` for a command that changes nothing.
    ///   - passwords: how to hash passwords, for a command that does.
    ///   - isNew: whether to create the database if it is missing.
    /// - Throws: ``CommandError`` if it is missing and `isNew` is false.
    func administration(
        _ settings: SettingsReader? = nil,
        by operator: OperatorOptions? = nil,
        _ passwords: PasswordOptions? = nil,
        creating isNew: Bool = false
    ) async throws -> Administration {
        let settings = try settings ?? configuration.settings()
        let opened = try await open(settings, creating: isNew)
        let clock: any WallClock = opened.clock ?? SystemClock()
        return Administration(
            database: opened.database,
            directory: DatabaseSessionStore(opened.database) { 0 },
            outbox: DatabaseOutbox(opened.database, clock: clock),
            clock: clock,
            audit: `operator`?.log(in: opened.database) ?? MemoryAuditLog(),
            hasher: try passwords.map(settings.with)?.hasher() ?? PasswordHasher(workers: 1),
            pages: { try Application.current.pages(PageDependencies()) }
        )
    }
}
