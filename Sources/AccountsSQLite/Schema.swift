internal import GRDB

/// The tables and their migrations.
enum Schema {
    /// All migrations, in order. Never change a published migration. Add a new one instead.
    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: first) }
        migrator.registerMigration("2") { try $0.execute(sql: second) }
        migrator.registerMigration("3") { try $0.execute(sql: third) }
        migrator.registerMigration("4") { try $0.execute(sql: fourth) }
        migrator.registerMigration("5") { try $0.execute(sql: fifth) }
        migrator.registerMigration("6") { try $0.execute(sql: sixth) }
        migrator.registerMigration("7") { try $0.updateKeys() }
        return migrator
    }

    private static let first = """
        CREATE TABLE account (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            email TEXT NOT NULL,
            email_key TEXT NOT NULL UNIQUE,
            username TEXT NOT NULL,
            username_key TEXT NOT NULL UNIQUE,
            user_id TEXT UNIQUE,
            contact_email TEXT,
            password_hash TEXT NOT NULL,
            created INTEGER NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
            is_disabled INTEGER NOT NULL
        ) STRICT;

        -- The latest revocation of each account, even if the account has been deleted.
        CREATE TABLE session_ending (
            number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            account_id TEXT NOT NULL UNIQUE
        ) STRICT;

        CREATE TABLE throttle (
            key TEXT NOT NULL PRIMARY KEY,
            failures INTEGER NOT NULL,
            last_failure INTEGER -- milliseconds since 1970-01-01T00:00:00Z
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE product (
            position INTEGER NOT NULL PRIMARY KEY,
            name_key TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            description TEXT NOT NULL,
            image TEXT NOT NULL
        ) STRICT;
        """

    private static let second = """
        CREATE TABLE device (
            key BLOB NOT NULL PRIMARY KEY, -- the hash of the token
            account_id TEXT NOT NULL,
            failures INTEGER NOT NULL,
            expires INTEGER NOT NULL -- milliseconds since 1970-01-01T00:00:00Z
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX device_of_account ON device (account_id, expires);

        CREATE INDEX device_by_expiry ON device (expires);
        """

    private static let third = "ALTER TABLE throttle ADD COLUMN refused INTEGER NOT NULL DEFAULT 0"

    private static let fourth = """
        -- The sessions of a server that has stopped. The next one deletes them when it starts.
        CREATE TABLE saved_session (
            id BLOB NOT NULL PRIMARY KEY, -- the hash of the token
            account_id BLOB, -- in UTF-8
            created INTEGER NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
            last_used INTEGER NOT NULL,
            revocation INTEGER NOT NULL, -- the last session_ending that the server had applied
            content BLOB NOT NULL
        ) STRICT;

        CREATE INDEX saved_session_by_use ON saved_session (last_used, id);
        """

    private static let fifth = """
        -- The sessions that are stored after each event.
        CREATE TABLE session (
            number INTEGER NOT NULL PRIMARY KEY,
            id BLOB NOT NULL UNIQUE, -- the hash of the token
            version INTEGER NOT NULL, -- the number of commits
            account_id BLOB, -- in UTF-8
            created INTEGER NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
            last_used INTEGER NOT NULL,
            content BLOB NOT NULL -- everything except the events
        ) STRICT;

        CREATE INDEX session_of_account ON session (account_id) WHERE account_id IS NOT NULL;

        CREATE TABLE session_event (
            session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
            version INTEGER NOT NULL, -- the session's version with which the event was committed
            token BLOB NOT NULL, -- identifies the commit
            content BLOB NOT NULL,
            PRIMARY KEY (session, version)
        ) STRICT, WITHOUT ROWID;

        -- The IDs that logins and logouts have replaced, for a minute.
        CREATE TABLE replaced_session (
            id BLOB NOT NULL PRIMARY KEY,
            expires INTEGER NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
            response BLOB -- encrypted with a key that the server does not store
        ) STRICT, WITHOUT ROWID;
        """

    private static let sixth = """
        -- One row. It is in the database so that all servers, and the next start, hash an address in the same way.
        CREATE TABLE address_key (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
            key BLOB NOT NULL
        ) STRICT;

        ALTER TABLE saved_session ADD COLUMN address BLOB;

        -- A new table, because SQLite reads a long content before it reads a column after it.
        CREATE TABLE new_session (
            number INTEGER NOT NULL PRIMARY KEY,
            id BLOB NOT NULL UNIQUE, -- the hash of the token
            version INTEGER NOT NULL, -- the number of commits
            account_id BLOB, -- in UTF-8
            created INTEGER NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
            last_used INTEGER NOT NULL,
            address BLOB, -- a keyed hash
            size INTEGER NOT NULL, -- the bytes that the session counts for
            content BLOB NOT NULL -- everything except the events
        ) STRICT;

        INSERT INTO new_session
        SELECT number, id, version, account_id, created, last_used, NULL, 1024 + length(content), content FROM session;

        DROP TABLE session;
        ALTER TABLE new_session RENAME TO session;

        CREATE INDEX session_of_account ON session (account_id) WHERE account_id IS NOT NULL;
        CREATE INDEX session_of_address ON session (address, created, number)
            WHERE account_id IS NULL AND address IS NOT NULL;
        """

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
