import AccountsDatabase

struct Schema {
    /// All migrations, in order. From 0.1.0 on, never change one: add a new one instead.
    let migrations: [SQLText]

    /// The migrations of this program.
    static let current = Schema(
        migrations: [PackageResources.migration_1_sql].map {
            SQLText(postgreSQL: "", sqlite: String(decoding: $0, as: UTF8.self))
        }
    )

    /// Throws if the tables of a database are from another program, or from another version of this one, or have lost changes. Writes
    /// nothing. If `isImmutable`, no process changes the file.
    func check(_ db: SQLiteConnection, _ path: String, isImmutable: Bool = false) throws {
        let tables = try db.tables()
        if tables.isEmpty { return }
        guard tables.contains(VersionTable.own.name) else { throw SQLiteDatabaseError.foreign(path: path) }
        try WriteAheadLog.check(db, path, isImmutable: isImmutable)
        let version = try version(db)
        guard version > 0 else { throw SQLiteDatabaseError.foreign(path: path) }
        guard version <= migrations.count else {
            throw SQLiteDatabaseError.newer(path: path, version: version, latest: migrations.count)
        }
        if version == migrations.count, let table = try db.run(TableDescription.missingColumn()).first?.text(0) {
            throw SQLiteDatabaseError.cannotOpen(
                path: path,
                reason: "another program has changed or removed its table '\(table)'"
            )
        }
    }

    /// The number of the migrations that have run; 0 if there are no tables.
    func version(_ db: SQLiteConnection) throws -> Int {
        guard try db.tables().contains(VersionTable.own.name) else { return 0 }
        return try db.run(VersionTable.own.select()).first?.number(0) ?? 0
    }

    /// Runs the missing migrations, in one transaction.
    func migrate(_ db: SQLiteConnection, _ path: String) throws {
        if try version(db) == migrations.count { return }
        // A migration may replace a table, which must not delete the rows that refer to it.
        try db.execute("PRAGMA foreign_keys = OFF")
        defer { try? db.execute("PRAGMA foreign_keys = ON") }
        try db.inTransaction(.immediate) {
            try db.migrate(migrations, .own, path)
            guard try db.run("PRAGMA foreign_key_check").isEmpty else { throw SQLiteDatabaseError.damaged(path: path) }
        }
    }
}
