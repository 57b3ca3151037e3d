package import AccountsDatabase

extension PostgreSQLDatabase {
    /// Creates the tables, or runs the missing migrations. Any number of servers may call this at the same time: one runs the migrations,
    /// and the others wait. May take a minute.
    ///
    /// - Throws: ``PostgreSQLDatabaseError`` if the tables are from another program or from another version of this one, or the user may
    ///   not create or change tables. Then nothing has changed. ``PostgreSQLError`` if the server cannot be reached or
    ///   reports another error.
    public func migrate() async throws { try await migrate(Schema.migrations) }

    func migrate(_ migrations: [SQLText]) async throws {
        do {
            try await pool.transaction(deadline: .now + .seconds(60)) { transaction in
                // The lock ends with the transaction. Each later statement sees what the one before has committed.
                let results = try transaction.batch([Self.unlimitedLocks(), Self.lock(), Self.overview()])
                _ = try Self.version(results[2], latest: migrations.count, transaction)
                try Self.run(migrations, .own, transaction)
            }
        } catch PostgreSQLError.server(let error) where error.sqlState == "42501" {
            throw PostgreSQLDatabaseError.notPermitted
        }
    }

    package func migratePages(_ migrations: [SQLText]) async throws {
        guard !migrations.isEmpty else { return }
        try await pool.transaction(deadline: .now + .seconds(60)) { transaction in
            try transaction.batch([Self.unlimitedLocks(), Self.lock()])
            try Self.run(migrations, .pages, transaction)
        }
    }

    /// The number of the migrations that have run; 0 if there are no tables. Changes nothing. Throws ``PostgreSQLDatabaseError`` if the
    /// tables cannot be used.
    package func version() async throws -> Int {
        try await pool.batches { batches in
            try Self.version(try batches.execute(Self.overview()), latest: Self.latestVersion, batches)
        }
    }

    package static var latestVersion: Int { Schema.migrations.count }

    private static func version(_ overview: [SQLRow], latest: Int, _ connection: some SQLConnection) throws -> Int {
        let overview = overview[0]
        guard let schema = try overview.optionalText(0) else { throw PostgreSQLDatabaseError.schemaMissing }
        if let other = try overview.optionalText(4), other != schema {
            throw PostgreSQLDatabaseError.hidden(schema: other, by: schema)
        }
        let encoding = try overview.text(3)
        guard encoding == "UTF8" else { throw PostgreSQLDatabaseError.wrongEncoding(encoding) }
        guard try overview.boolean(1) else {
            if try overview.boolean(2) { throw PostgreSQLDatabaseError.foreign(schema: schema) }
            return 0
        }
        guard let version = try connection.execute(VersionTable.own.select()).first?.number(0), version > 0 else {
            throw PostgreSQLDatabaseError.foreign(schema: schema)
        }
        guard version <= latest else { throw PostgreSQLDatabaseError.newer(version: version, latest: latest) }
        // The migrations that are missing may create the others.
        if version == latest, let table = try connection.execute(TableDescription.missingColumn()).first?.text(0) {
            throw PostgreSQLDatabaseError.changed(schema: schema, table: table)
        }
        return version
    }

    /// Runs the missing migrations, whose number is in a table.
    private static func run(
        _ migrations: [SQLText],
        _ table: VersionTable,
        _ transaction: PostgreSQLTransaction
    ) throws {
        try table.migrate(migrations, on: transaction) { version in
            PostgreSQLDatabaseError.newer(version: version, latest: migrations.count)
        } run: { migration in
            // Only a block can contain several statements. There, a semicolon must follow each of them, and no empty one.
            let statements = String(migration.postgreSQL.reversed().drop { $0.isWhitespace || $0 == ";" }.reversed())
            let block = SQLStatement("migrate", postgreSQL: "DO $migration$ BEGIN \(statements)\n; END $migration$")
            try transaction.batch([unlimitedLocks(), block()])
        }
    }

    /// Waits for other migrations, and for the events of other servers, until the deadline of the call.
    private static let unlimitedLocks = SQLStatement(
        "unlimited locks",
        postgreSQL: "SELECT set_config('lock_timeout', '0', true)"
    )

    private static let lock = SQLStatement(
        "migration lock",
        postgreSQL: "SELECT pg_advisory_xact_lock(hashtextextended('understudy migration', 0))"
    )

    /// The schema in which tables are created, whether the table of the version is there, whether any table is there that does not belong to an
    /// extension of PostgreSQL, the encoding of texts, and the schema in which queries find the table of the version.
    private static let overview = SQLStatement(
        "schema overview",
        postgreSQL: """
            SELECT current_schema(), coalesce(bool_or(relname = '\(VersionTable.own.name)'), FALSE),
                count(*) > 0, current_setting('server_encoding'),
                (SELECT relnamespace::regnamespace::text FROM pg_class WHERE oid = to_regclass('\(VersionTable.own.name)'))
            FROM pg_class
            WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relkind IN ('r', 'p')
                AND NOT EXISTS (
                    SELECT FROM pg_depend
                    WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'
                )
            """
    )
}

enum Schema {
    /// All migrations, in order. From 0.1.0 on, never change one: add a new one instead.
    static let migrations = [PackageResources.migration_1_sql].map {
        SQLText(postgreSQL: String(decoding: $0, as: UTF8.self), sqlite: "")
    }
}
