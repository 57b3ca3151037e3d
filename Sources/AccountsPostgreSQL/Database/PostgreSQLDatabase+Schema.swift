internal import Accounts
internal import AccountsDatabase
internal import PostgreSQL
package import SQLStatements

extension PostgreSQLDatabase {
    /// Creates the tables, or runs the missing migrations. Any number of servers may call this at the same time: one runs the migrations,
    /// and the others wait. May take a minute.
    ///
    /// - Throws: ``PostgreSQLDatabaseError`` if the tables are from another program or from a newer version of this one, or the user may
    ///   not create or change tables. Then nothing has changed. ``/PostgreSQL/PostgreSQLError`` if the server cannot be reached or
    ///   reports another error.
    public func migrate() async throws {
        do {
            try await runMissingMigrations()
        } catch PostgreSQLError.server(let error) where error.sqlState == "42501" {
            throw PostgreSQLDatabaseError.notPermitted
        }
    }

    private func runMissingMigrations() async throws {
        try await pool.transaction(deadline: .now + .seconds(60)) { transaction in
            // The lock ends with the transaction. Each later statement sees what the one before has committed.
            let results = try await transaction.batch([Self.unlimitedLocks(), Self.lock(), Self.overview()])
            let version = try await Self.status(results[2]) { try await transaction.execute(Self.version()) }.version()
            guard version < Schema.version else { return }
            if version == 0 { try await transaction.execute(Self.createVersion()) }
            for migration in Schema.migrations[version...] { try await Self.run(migration, transaction) }
            if version < Schema.keysVersion { try await Self.updateKeys(transaction) }
            try await transaction.execute(Self.setVersion(.number(Schema.version)))
        }
    }

    package func migratePages(_ migrations: [SQLText]) async throws {
        guard !migrations.isEmpty else { return }
        try await pool.transaction(deadline: .now + .seconds(60)) { transaction in
            let steps = [Self.unlimitedLocks(), Self.lock(), PageSchemaTable.create(), PageSchemaTable.version()]
            let version = try await transaction.batch(steps)[3].first?.number(0) ?? 0
            guard version <= migrations.count else { throw PostgreSQLDatabaseError.newer(version: version) }
            guard version < migrations.count else { return }
            for migration in migrations[max(0, version)...] {
                // In a block, a semicolon must follow each statement, and no empty one.
                let statements = migration.postgreSQL.reversed().drop { $0.isWhitespace || $0 == ";" }.reversed()
                try await Self.run(String(statements) + "\n;", transaction)
            }
            try await transaction.batch([PageSchemaTable.delete(), PageSchemaTable.insert(.number(migrations.count))])
        }
    }

    /// The state of the tables. Changes nothing.
    ///
    /// - Throws: ``/PostgreSQL/PostgreSQLError``.
    package func status() async throws -> SchemaStatus {
        try await Self.status(try await pool.execute(Self.overview())) { try await pool.execute(Self.version()) }
    }

    /// The number of all migrations.
    package static var latestVersion: Int { Schema.version }

    private static func status(
        _ overview: PostgreSQLResult,
        readVersion: () async throws -> PostgreSQLResult
    ) async throws -> SchemaStatus {
        guard let schema = try overview[0].optionalText(0) else { return .unusable(.schemaMissing) }
        guard try overview[0].boolean(1) else {
            return try overview[0].boolean(2) ? .unusable(.foreign(schema: schema)) : .empty
        }
        guard let version = try await readVersion().first?.number(0), version > 0 else {
            return .unusable(.foreign(schema: schema))
        }
        if version > Schema.version { return .unusable(.newer(version: version)) }
        return version < Schema.version ? .outdated(version: version) : .current
    }

    /// Runs the statements of a migration, which may be several only in a block.
    private static func run(_ migration: String, _ transaction: PostgreSQLTransaction) async throws {
        let block = SQLStatement("migrate", postgreSQL: "DO $migration$ BEGIN \(migration) END $migration$")
        try await transaction.batch([Self.unlimitedLocks(), block()])
    }

    /// Stores the keys of all accounts again.
    ///
    /// - Throws: ``PostgreSQLDatabaseError/sameName(account:)`` if two accounts would have the same key.
    private static func updateKeys(_ transaction: PostgreSQLTransaction) async throws {
        var last: AccountID?
        while true {
            let page = try await transaction.batch([AccountTable.selectNames(after: last, limit: 1_000)])
            let accounts = try page[0].map(AccountTable.Names.init)
            guard let end = accounts.last else { return }
            for account in accounts where account.haveChangedKeys {
                do {
                    try await transaction.batch([AccountTable.updateKeys(account)])
                } catch let error as PostgreSQLError {
                    throw AccountConflict(error) == nil ? error : PostgreSQLDatabaseError.sameName(account: account.id)
                }
            }
            last = end.id
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

    /// The schema in which tables are created, whether the table of the version is there, and whether any table is there that does not
    /// belong to an extension of PostgreSQL.
    private static let overview = SQLStatement(
        "schema overview",
        isReadOnly: true,
        postgreSQL: """
            SELECT current_schema(), coalesce(bool_or(relname = 'understudy_schema'), FALSE), count(*) > 0
            FROM pg_class
            WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relkind IN ('r', 'p')
                AND NOT EXISTS (
                    SELECT FROM pg_depend
                    WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'
                )
            """
    )

    private static let version = SQLStatement(
        "schema version",
        isReadOnly: true,
        postgreSQL: "SELECT version FROM understudy_schema"
    )

    private static let createVersion = SQLStatement(
        "create schema version",
        postgreSQL: "CREATE TABLE understudy_schema (version bigint NOT NULL)"
    )

    private static let setVersion = SQLStatement(
        "set schema version",
        postgreSQL: """
            WITH deleted AS (DELETE FROM understudy_schema)
            INSERT INTO understudy_schema VALUES ($1)
            """
    )
}
