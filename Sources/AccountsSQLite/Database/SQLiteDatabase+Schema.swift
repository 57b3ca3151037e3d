internal import AccountsDatabase
internal import GRDB
package import SQLStatements

extension SQLiteDatabase {
    /// The number of the migrations of a database that have run; 0 if there are no tables. Changes nothing.
    ///
    /// - Throws: ``SQLiteDatabaseError``.
    package static func version(path: String) throws(SQLiteDatabaseError) -> Int {
        try readOnly(path) { try Schema.current.version($0) }
    }

    /// What is wrong with the structure of a database, at most twenty lines; empty if nothing is. Reads the whole file, and changes nothing.
    ///
    /// - Throws: ``SQLiteDatabaseError``.
    package static func damage(path: String) throws -> [String] {
        try readOnly(DatabaseFile.absolutePath(path)) { db in
            let text = try String.fetchAll(db, sql: "PRAGMA quick_check(20)").joined(separator: "\n")
            return text == "ok" ? [] : text.split(separator: "\n").map { String($0) }
        }
    }

    /// Reads a database of this program without changing it.
    ///
    /// - Parameter isImmutable: whether no process changes the file, and it has no `-wal`. Otherwise, SQLite creates a missing `-wal`.
    /// - Throws: ``SQLiteDatabaseError``.
    // Without specialisation, for the reason in SQLiteDatabase.
    @_semantics("optimize.sil.specialize.generic.never")
    static func readOnly<Value>(
        _ path: String,
        isImmutable: Bool = false,
        _ body: (Database) throws -> Value
    ) throws(SQLiteDatabaseError) -> Value {
        do {
            try WriteAheadLog.checkOwner(path)
            var configuration = Configuration()
            configuration.readonly = true
            let name = isImmutable ? DatabaseFile.immutable(path) : path
            return try DatabaseQueue(path: name, configuration: configuration).read { db in
                try Schema.current.check(db, path)
                return try body(db)
            }
        } catch let error as SQLiteDatabaseError {
            throw error
        } catch {
            throw DatabaseFile.reason(error, path)
        }
    }

    /// The number of all migrations.
    package static var latestVersion: Int { Schema.current.migrations.count }

    package func migratePages(_ migrations: [SQLText]) async throws {
        guard !migrations.isEmpty else { return }
        do {
            try await withWriter { [path] db in
                try db.inTransaction(.immediate) {
                    try db.migrate(migrations, .pages, path)
                    return .commit
                }
            }
        } catch let error as DatabaseError {
            throw DatabaseFile.reason(error, path)
        }
    }
}

extension Database {
    /// Runs the missing migrations, in the transaction that the caller has begun.
    ///
    /// - Parameter table: contains the number of those that have run.
    func migrate(_ migrations: [SQLText], _ table: VersionTable, _ path: String) throws {
        try run(table.create())
        let version = try run(table.select()).first?.number(0) ?? 0
        guard version <= migrations.count else {
            throw SQLiteDatabaseError.newer(path: path, version: version, latest: migrations.count)
        }
        guard version < migrations.count else { return }
        for migration in migrations[max(0, version)...] { try execute(sql: migration.sqlite) }
        try run(table.delete())
        try run(table.insert(.number(migrations.count)))
    }
}
