package import AccountsDatabase

extension SQLiteDatabase {
    /// The number of the migrations of a database that have run; 0 if there are no tables. Changes nothing.
    package static func version(path: String) throws(SQLiteDatabaseError) -> Int {
        try readOnly(path) { try Schema.current.version($0) }
    }

    /// What is wrong with the structure of a database, at most twenty lines; empty if nothing is. Reads the whole file, and changes nothing.
    package static func damage(path: String) throws -> [String] {
        var texts: [String] = []
        do {
            try readOnly(DatabaseFile.absolutePath(path)) { db in
                // The check fails if it continues to the rows of a damaged page. The first finding precedes this.
                texts = try (try? db.texts("PRAGMA quick_check(20)")) ?? db.texts("PRAGMA quick_check(1)")
            }
        } catch {
            // A transaction that has met a damaged page cannot be committed.
            if texts.isEmpty { throw error }
        }
        return texts == ["ok"] ? [] : texts.flatMap { $0.split(separator: "\n").map(String.init) }
    }

    /// Reads a database of this program without changing it. If `isImmutable`, no process changes the file, and it has no `-wal`. Otherwise,
    /// SQLite creates a missing `-wal`.
    static func readOnly<Value>(
        _ path: String,
        isImmutable: Bool = false,
        _ body: (SQLiteConnection) throws -> Value
    ) throws(SQLiteDatabaseError) -> Value {
        let createsLog = !isImmutable && !DatabaseFile.exists(path + "-wal")
        // A connection that only reads leaves its empty `-wal` behind. As the last one, one that may write removes it when it is closed.
        defer {
            if createsLog, DatabaseFile.exists(path + "-wal") {
                _ = try? DatabaseFile.openReader(path, busyTimeout: .zero).tables()
            }
        }
        do {
            try WriteAheadLog.checkOwner(path)
            // While another process creates the tables, the file is locked.
            let access = isImmutable ? SQLiteConnection.Access.immutable : .readOnly
            let db = try SQLiteConnection(path, access, busyDeadline: .now + .seconds(2))
            return try db.inTransaction(.deferred) {
                try Schema.current.check(db, path, isImmutable: isImmutable)
                return try body(db)
            }
        } catch {
            throw DatabaseFile.reason(error, path)
        }
    }

    package static var latestVersion: Int { Schema.current.migrations.count }

    package func migratePages(_ migrations: [SQLText]) async throws {
        guard !migrations.isEmpty else { return }
        do {
            try await withWriter { [path] in try $0.migratePages(migrations, path) }
        } catch let error as SQLiteError {
            throw DatabaseFile.reason(error, path)
        }
    }
}

extension SQLiteConnection {
    /// Runs the missing migrations of an embedder.
    func migratePages(_ migrations: [SQLText], _ path: String) throws {
        guard !migrations.isEmpty else { return }
        try inTransaction(.immediate) { try migrate(migrations, .pages, path) }
    }

    /// Runs the missing migrations, in the transaction that the caller has begun.
    func migrate(_ migrations: [SQLText], _ table: VersionTable, _ path: String) throws {
        try table.migrate(migrations, on: self) { version in
            SQLiteDatabaseError.newer(path: path, version: version, latest: migrations.count)
        } run: { migration in
            try execute(migration.sqlite)
        }
    }
}
