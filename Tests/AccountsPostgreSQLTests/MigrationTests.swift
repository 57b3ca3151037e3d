@testable import AccountsPostgreSQL

@Suite(.fiveMinutes, .serialized)
struct MigrationTests {
    @Test func `several servers can migrate an empty database simultaneously`() async throws {
        try await TestSchema.with { schema in
            try await concurrently(4) { [uri = schema.uri] index in
                try await withDatabase(uri) { try await $0.add(.sample("\(index)")) }
            }
            try await withDatabase(schema.uri) { database async throws in #expect(try await database.all.count == 4) }
            #expect(try await schema.number("SELECT count(*) FROM understudy_version") == 1)
        }
    }

    @Test func `a migrated database is current, and migrating it again changes nothing`() async throws {
        try await TestSchema.with { schema in
            let database = PostgreSQLDatabase(pool: schema.other)
            #expect(try await database.version() == 0)
            try await database.migrate()
            #expect(try await database.version() == 1)
            try await database.add(.ada)
            try await database.migrate()
            #expect(try await database.all.count == 1)
        }
    }

    @Test func `a later migration runs once, after the ones before, and keeps the rows`() async throws {
        try await TestSchema.with { schema in
            let database = PostgreSQLDatabase(pool: schema.other)
            try await database.migrate()
            try await database.add(.ada)
            let later: SQLText = "ALTER TABLE account ADD COLUMN own_later bigint NOT NULL DEFAULT 7;"
            for _ in 0..<2 { try await database.migrate(Schema.migrations + [later]) }
            #expect(try await schema.number("SELECT own_later FROM account") == 7)
            await #expect(throws: PostgreSQLDatabaseError.newer(version: 2, latest: 1)) { try await database.migrate() }
            #expect(try await schema.number("SELECT version FROM understudy_version") == 2)
        }
    }

    @Test func `a migration that fails changes nothing`() async throws {
        try await TestSchema.with { schema async throws in
            let database = PostgreSQLDatabase(pool: schema.other)
            await #expect(throws: PostgreSQLError.self) {
                try await database.migrate(Schema.migrations + ["CREATE TABLE later (id bigint); SELECT 1 / 0;"])
            }
            #expect(try await database.version() == 0)
            #expect(try await schema.number("SELECT count(*) FROM pg_tables WHERE schemaname = '\(schema.name)'") == 0)
        }
    }

    @Test(arguments: ["CREATE TABLE account (id integer)", "CREATE TABLE understudy_version (version integer)"])
    func `a database of another program is rejected unchanged`(_ sql: String) async throws {
        try await TestSchema.with { schema in
            try await schema.execute(sql)
            await #expect(throws: PostgreSQLDatabaseError.foreign(schema: schema.name)) {
                try await withDatabase(schema.uri) { _ in }
            }
            #expect(try await schema.number("SELECT count(*) FROM pg_tables WHERE schemaname = '\(schema.name)'") == 1)
        }
    }

    @Test(arguments: ["DROP TABLE device", "ALTER TABLE device DROP COLUMN failures"])
    func `a database that another program has changed is rejected`(_ change: String) async throws {
        try await TestSchema.with { schema in
            try await withDatabase(schema.uri) { _ in }
            try await schema.execute(change)
            let error = PostgreSQLDatabaseError.changed(schema: schema.name, table: "device")
            await #expect(throws: error) { try await withDatabase(schema.uri) { _ in } }
            await #expect(throws: error) { try await PostgreSQLDatabase(pool: schema.other).version() }
        }
    }

    @Test func `a schema that does not exist is rejected`() async throws {
        try await TestSchema.with { schema in
            await #expect(throws: PostgreSQLDatabaseError.schemaMissing) {
                try await withDatabase(schema.uri + "_missing") { _ in }
            }
        }
    }

    @Test func `tables behind another schema of the search_path are not replaced by empty ones`() async throws {
        try await TestSchema.with { schema in
            try await withDatabase(schema.uri) { try await $0.add(.ada) }
            try await TestSchema.with { first in
                let uri = schema.uri.replacing(schema.name, with: "\(first.name),\(schema.name)")
                await #expect(throws: PostgreSQLDatabaseError.hidden(schema: schema.name, by: first.name)) {
                    try await withDatabase(uri) { _ in }
                }
                for uri in [first.uri, uri] {
                    try await withDatabase(uri) { database async throws in
                        #expect(try await database.usernames == [])
                    }
                }
            }
        }
    }

    @Test func `a user who may not create tables is rejected`() async throws {
        try await TestSchema.with { schema in
            let user = "user_of_\(schema.name)"
            let uri = schema.uri.replacing("postgres@", with: "\(user)@")
            try await schema.execute("CREATE ROLE \(user) LOGIN")
            await #expect(throws: PostgreSQLDatabaseError.schemaMissing) { try await withDatabase(uri) { _ in } }
            try await schema.execute("GRANT USAGE ON SCHEMA \(schema.name) TO \(user)")
            await #expect(throws: PostgreSQLDatabaseError.notPermitted) { try await withDatabase(uri) { _ in } }
            try await schema.execute("GRANT CREATE ON SCHEMA \(schema.name) TO \(user)")
            try await withDatabase(uri) { try await $0.add(.ada) }
        }
    }

    @Test func `an error names the schema or the version, and what to do`() {
        #expect(
            "\(PostgreSQLDatabaseError.newer(version: 7, latest: 1))".hasPrefix(
                "the tables of the database have version 7, and this program expects at most 1: "
            )
        )
        #expect("\(PostgreSQLDatabaseError.foreign(schema: "web"))".contains("the schema 'web'"))
        #expect("\(PostgreSQLDatabaseError.hidden(schema: "web", by: "me"))".contains("'me' comes first"))
        let changed = PostgreSQLDatabaseError.changed(schema: "web", table: "mail")
        #expect("\(changed)".contains("the table 'mail' in the schema 'web'"))
        #expect("\(PostgreSQLDatabaseError.schemaMissing)".contains("CREATE SCHEMA"))
        #expect("\(PostgreSQLDatabaseError.notPermitted)".contains("GRANT CREATE ON SCHEMA"))
    }
}
