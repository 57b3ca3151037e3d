internal import Accounts
internal import AccountsDatabase
internal import GRDB

/// The tables and their migrations.
enum Schema {
    /// All migrations, in order. Never change a published migration. Add a new one instead.
    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (index, sql) in statements.enumerated() { register("\(index + 1)", sql, in: &migrator) }
        migrator.registerMigration("7") { try updateKeys($0) }
        register("8", PackageResources.migration_8_sql, in: &migrator)
        register("9", PackageResources.migration_9_sql, in: &migrator)
        register("10", PackageResources.migration_10_sql, in: &migrator)
        register("11", PackageResources.migration_11_sql, in: &migrator)
        register("12", PackageResources.migration_12_sql, in: &migrator)
        register("13", PackageResources.migration_13_sql, in: &migrator)
        register("14", PackageResources.migration_14_sql, in: &migrator)
        register("15", PackageResources.migration_15_sql, in: &migrator)
        migrator.registerMigration("16") { try updateKeys($0) }
        return migrator
    }

    private static func register(_ name: String, _ sql: [UInt8], in migrator: inout DatabaseMigrator) {
        migrator.registerMigration(name) { try $0.execute(sql: String(decoding: sql, as: UTF8.self)) }
    }

    private static let statements = [
        PackageResources.migration_1_sql, PackageResources.migration_2_sql, PackageResources.migration_3_sql,
        PackageResources.migration_4_sql, PackageResources.migration_5_sql, PackageResources.migration_6_sql,
    ]

    /// Stores the keys of all accounts again, because an earlier version computed other keys.
    ///
    /// - Throws: `SQLiteDatabaseError.sameName` if two accounts would have the same key.
    private static func updateKeys(_ db: Database) throws {
        var last: AccountID?
        while true {
            let accounts = try db.run(AccountTable.selectNames(after: last, limit: 1_000)).map(AccountTable.Names.init)
            guard let end = accounts.last else { return }
            for account in accounts where account.haveChangedKeys {
                do {
                    try db.run(AccountTable.updateKeys(account))
                } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
                    throw SQLiteDatabaseError.sameName(account: account.id)
                }
            }
            last = end.id
        }
    }

    /// Throws if the tables of a database are from another program, or from a newer version of this one, or have lost changes. Writes
    /// nothing.
    ///
    /// - Throws: ``SQLiteDatabaseError``; an error of SQLite if the file is not a database.
    static func check(_ db: Database, _ path: String) throws {
        let tables = try String.fetchSet(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        if tables.isEmpty { return }
        guard tables.contains("grdb_migrations") else { throw SQLiteDatabaseError.foreign(path: path) }
        try WriteAheadLog.check(db, path)
        if try migrator.hasBeenSuperseded(db) { throw SQLiteDatabaseError.newer(path: path) }
    }

    /// The number of the migrations that have run.
    static func version(_ db: Database) throws -> Int {
        try migrator.appliedIdentifiers(db).count
    }

    /// The number of all migrations.
    static var latestVersion: Int { migrator.migrations.count }

    /// Runs the missing migrations.
    static func migrate(_ pool: DatabasePool) throws {
        let migrator = migrator
        // A migration fails if another process has just run it. Then the next attempt starts after it.
        for _ in migrator.migrations {
            do { return try migrator.migrate(pool) } catch let error as DatabaseError {
                guard [.SQLITE_ERROR, .SQLITE_CONSTRAINT].contains(error.resultCode) else { throw error }
            }
        }
        try migrator.migrate(pool)
    }
}
