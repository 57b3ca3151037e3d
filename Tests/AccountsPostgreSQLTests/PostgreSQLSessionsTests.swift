import AccountStoreSuite
import AccountsDatabase
import Accounts
import AccountsPostgreSQL
import BusinessLogic
import PostgreSQL
import SessionStorage
import Testing
import SQLStatements

@Suite(.timeLimit(.minutes(5)), .serialized)
struct PostgreSQLSessionsTests {
    @Test(arguments: SessionLimitSuite.behaviours)
    func `sessions in PostgreSQL are limited`(_ behaviour: Behaviour<SessionLimitSuite.Subject>) async throws {
        try await withDatabase { try await behaviour.check(SessionLimitSuite.Subject($0.sessions { 0 })) }
    }

    @Test func `one cleaning removes all sessions that exceed a limit, however many`() async throws {
        try await TestSchema.with { schema in
            try await withDatabase(schema.uri) { database in
                for (condition, counts) in SessionLimitSuite.cleanings {
                    try await fill(schema)
                    #expect(try await database.sessions { 0 }.removeSessions(condition) == counts)
                    let rest = try await schema.number("SELECT count(*) FROM session")
                    #expect(rest == 5_000 - counts.expired - counts.evicted)
                    try await schema.execute("DELETE FROM session")
                }
            }
        }
    }

    @Test func `while another server removes sessions, a cleaning removes none and does not wait`() async throws {
        try await TestSchema.with { schema in
            try await withDatabase(schema.uri) { database in
                try await fill(schema)
                let store = database.sessions { 0 }
                let (condition, counts) = SessionLimitSuite.cleanings[2]
                let removed = try await schema.whileOpen([SQLStep(.cleaningLock)]) {
                    try await store.removeSessions(condition)
                }
                #expect(removed == RemovedSessions())
                #expect(try await store.removeSessions(condition) == counts)
            }
        }
    }

    @Test func `a cleaning leaves out a session that an event uses, and does not wait for it`() async throws {
        try await TestSchema.with { schema in
            try await withDatabase(schema.uri) { database in
                try await fill(schema)
                let store = database.sessions { 0 }
                try await schema.whileOpen([SQLStep(.useOldest)]) {
                    let removed = try await store.removeSessions(SessionLimitSuite.cleanings[2].0)
                    #expect((3_999...4_000).contains(removed.evicted))
                    #expect(removed.expired == 0)
                }
                #expect(try await schema.number("SELECT count(*) FROM session WHERE last_used = 9999") == 1)
            }
        }
    }

    /// Adds 5,000 sessions, as `SessionLimitSuite.cleanings` expects them.
    private func fill(_ schema: TestSchema) async throws {
        try await schema.execute(
            """
            INSERT INTO session (id, version, created, last_used, address, size, content)
            SELECT sha256(n::text::bytea), 2, n, n, '\\x01', 1000, '{}' FROM generate_series(1, 5000) AS n
            """
        )
    }

    @Test(arguments: UnitOfWorkSuite.behaviours)
    func `an event's changes are one transaction`(_ behaviour: Behaviour<UnitOfWorkSuite.Database>) async throws {
        try await withDatabase { database in
            try await behaviour.check(UnitOfWorkSuite.Database(accounts: database, sessions: database.sessions { 0 }))
        }
    }

    @Test func `an operator reads the saved sessions of an account, which stay saved`() async throws {
        try await withDatabase { database in
            let ada = Account.sample("ada")
            let session = SessionStoreSuite.session(1, user: ada.id.text)
            let store = database.sessions { 0 }
            try await store.save([session, SessionStoreSuite.session(2)])
            #expect(try await database.savedSessions(of: ada.id) == [session])
            #expect(try await store.take(limit: 9).count == 2)
        }
    }

    @Test func `thousands of sessions are saved in one transaction`() async throws {
        try await withDatabase { database in
            let store = database.sessions { 0 }
            let saved = (0..<5000).map { SessionStoreSuite.session($0, lastUsed: Int64($0)) }
            try await store.save(saved)
            #expect(try await store.take(limit: 9999) == saved)
        }
    }
}

extension SQLStatement {
    /// The lock of a server that removes sessions.
    fileprivate static let cleaningLock = SQLStatement(
        "test",
        postgreSQL:
            "SELECT pg_advisory_xact_lock(hashtextextended('understudy cleaning', 'session'::regclass::oid::bigint))"
    )

    /// Uses the session that has been unused longest, as an event does that is not committed yet.
    fileprivate static let useOldest = SQLStatement(
        "test",
        postgreSQL: "UPDATE session SET last_used = 9999, version = version + 1 WHERE last_used = 1"
    )
}
