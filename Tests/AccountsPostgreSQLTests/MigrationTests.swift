import AccountStoreSuite
import AccountsDatabase
import Accounts
import AccountsPostgreSQL
import BusinessLogic
import PostgreSQL
import Testing

@Suite(.timeLimit(.minutes(5)), .serialized)
struct MigrationTests {
    @Test func `several servers can migrate an empty database simultaneously`() async throws {
        try await TestSchema.with { schema in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<4 {
                    group.addTask { try await withDatabase(schema.uri) { try await $0.add(.sample("\(index)")) } }
                }
                try await group.waitForAll()
            }
            try await withDatabase(schema.uri) { database in
                let accounts = try await database.accounts(after: nil, limit: 9)
                #expect(accounts.count == 4)
            }
            #expect(try await schema.number("SELECT count(*) FROM understudy_schema") == 1)
        }
    }

    @Test func `a migrated database is current, and migrating it again changes nothing`() async throws {
        try await TestSchema.with { schema in
            let database = PostgreSQLDatabase(pool: schema.other)
            #expect(try await database.status() == .empty)
            try await database.migrate()
            #expect(try await database.status() == .current)
            try await database.add(.sample("ada"))
            try await database.migrate()
            #expect(try await database.accounts(after: nil, limit: 9).count == 1)
        }
    }

    @Test func `accounts from before addresses were confirmed are not confirmed`() async throws {
        try await TestSchema.with { schema in
            let ada = Account.sample("ada")
            try await withDatabase(schema.uri) { try await $0.add([ada]) }
            try await schema.execute("DROP TABLE audit_record, health")
            try await schema.dropFactors()
            try await schema.execute("ALTER TABLE account DROP COLUMN email_confirmed")
            try await schema.execute("UPDATE understudy_schema SET version = 6")
            try await withDatabase(schema.uri) { database in
                #expect(try await database.account(ada.id) == ada)
                let time = Timestamp(milliseconds: 1)
                try await database.change(ada.id, revokingSessions: false) { $0.emailConfirmed = time }
                #expect(try await database.account(ada.id)?.emailConfirmed == time)
            }
        }
    }

    @Test func `an account whose name has another key than in an earlier version is found after the migration`()
        async throws
    {
        try await TestSchema.with { schema in
            let account = Account.sample("\u{B5}ς\u{301}")
            try await withDatabase(schema.uri) { try await $0.add([account, .sample("ada")]) }
            try await schema.execute("UPDATE account SET username_key = username, email_key = email")
            try await schema.execute("UPDATE understudy_schema SET version = 11")
            try await withDatabase(schema.uri) { database in
                let byUsername = try await database.account(username: AccountKey("\u{3BC}σ\u{301}"))
                let byEmail = try await database.account(email: AccountKey("\u{39C}Σ\u{301}@example.org"))
                #expect([byUsername, byEmail] == [account, account])
            }
        }
    }

    @Test func `a database without an audit log is migrated and keeps its contents`() async throws {
        try await TestSchema.with { schema in
            let ada = Account.sample("ada")
            try await withDatabase(schema.uri) { try await $0.add([ada]) }
            try await schema.execute("UPDATE understudy_schema SET version = 9")
            try await schema.execute("DROP TABLE audit_record, health")
            try await withDatabase(schema.uri) { database async throws in
                #expect(try await database.account(ada.id) == ada)
                let log = DatabaseAuditLog(database) { Issue.record($1) }
                await log.record(AuditEvent(.login, at: Timestamp(milliseconds: 0), account: ada.id))
                #expect(try await database.lastAuditRecord() != nil)
            }
        }
    }

    @Test func `two accounts whose names are now the same stop the migration, and nothing is changed`() async throws {
        try await TestSchema.with { schema in
            let (one, other) = (Account.sample("\u{B5}"), Account.sample("one"))
            try await withDatabase(schema.uri) { try await $0.add([one, other]) }
            try await schema.execute("UPDATE account SET username = '\\xCEBC' WHERE username = 'one'")
            try await schema.execute("UPDATE account SET username_key = username")
            try await schema.execute("UPDATE understudy_schema SET version = 2")
            try await schema.dropLaterTables()
            let error = await #expect(throws: PostgreSQLDatabaseError.self) {
                try await withDatabase(schema.uri) { _ in }
            }
            #expect([one.id, other.id].map { .sameName(account: $0) }.contains(error))
            #expect(try await schema.number("SELECT version FROM understudy_schema") == 2)
            #expect(try await schema.number("SELECT count(*) FROM account WHERE username_key = username") == 2)
        }
    }

    @Test func `a database of a newer version is rejected unchanged`() async throws {
        try await TestSchema.with { schema in
            try await withDatabase(schema.uri) { _ in }
            try await schema.execute("UPDATE understudy_schema SET version = 1000")
            await #expect(throws: PostgreSQLDatabaseError.newer(version: 1000)) {
                try await withDatabase(schema.uri) { _ in }
            }
            let status = try await PostgreSQLDatabase(pool: schema.other).status()
            #expect(status == .unusable(.newer(version: 1000)))
            #expect(try await schema.number("SELECT version FROM understudy_schema") == 1000)
        }
    }

    @Test(arguments: ["CREATE TABLE account (id integer)", "CREATE TABLE understudy_schema (version integer)"])
    func `a database of another program is rejected unchanged`(_ sql: String) async throws {
        try await TestSchema.with { schema in
            try await schema.execute(sql)
            await #expect(throws: PostgreSQLDatabaseError.foreign(schema: schema.name)) {
                try await withDatabase(schema.uri) { _ in }
            }
            let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = '\(schema.name)'"
            #expect(try await schema.number(tables) == 1)
        }
    }

    @Test func `a schema that does not exist is rejected`() async throws {
        try await TestSchema.with { schema in
            await #expect(throws: PostgreSQLDatabaseError.schemaMissing) {
                try await withDatabase(schema.uri + "_missing") { _ in }
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
            try await withDatabase(uri) { try await $0.add(.sample("ada")) }
        }
    }

    @Test func `an error names the schema or the version, and what to do`() {
        #expect(
            "\(PostgreSQLDatabaseError.newer(version: 7))"
                == "the tables of the database have version 7: a newer version of this program has changed them"
        )
        #expect("\(PostgreSQLDatabaseError.foreign(schema: "web"))".contains("the schema 'web'"))
        #expect("\(PostgreSQLDatabaseError.schemaMissing)".contains("CREATE SCHEMA"))
        #expect("\(PostgreSQLDatabaseError.notPermitted)".contains("GRANT CREATE ON SCHEMA"))
    }
}

extension TestSchema {
    /// Drops what the last migration has created.
    fileprivate func dropFactors() async throws {
        try await execute("DROP TABLE passkey")
        try await execute("ALTER TABLE account DROP COLUMN factors, DROP COLUMN note, DROP COLUMN roles")
    }

    /// Drops what the migrations after the third one have created.
    fileprivate func dropLaterTables() async throws {
        try await execute("DROP TABLE audit_record, health")
        try await execute("DROP TABLE publication")
        try await execute("DROP TABLE mail")
        try await dropFactors()
        try await execute("ALTER TABLE account DROP COLUMN email_confirmed")
        try await execute("DROP TABLE ended_session")
        try await execute("DROP FUNCTION add_ended_session CASCADE")
        for table in ["session", "saved_session"] { try await execute("ALTER TABLE \(table) DROP COLUMN key") }
    }
}
