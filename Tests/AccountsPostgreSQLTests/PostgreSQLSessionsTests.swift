@Suite(.fiveMinutes, .serialized)
struct PostgreSQLSessionsTests {
    @Test func `while another server removes sessions, a cleaning removes none and does not wait`() async throws {
        try await TestSchema.withDatabase { schema, database in
            try await database.write([DatabaseSuite.addSessions()])
            let store = database.sessions { 0 }
            let (limits, counts) = SessionLimitSuite.cleanings[2]
            let now = Timestamp.ms(10_000)
            // The lock of a server that removes sessions.
            let lock = """
                SELECT pg_advisory_xact_lock(hashtextextended('understudy cleaning', 'session'::regclass::oid::bigint))
                """
            let removed = try await schema.whileOpen(lock) {
                try await store.removeSessions(exceeding: limits, at: now)
            }
            #expect(removed == RemovedSessions())
            #expect(try await store.removeSessions(exceeding: limits, at: now) == counts)
        }
    }

    @Test func `a cleaning leaves out a session that an event uses, and does not wait for it`() async throws {
        try await TestSchema.withDatabase { schema, database in
            try await database.write([DatabaseSuite.addSessions()])
            let store = database.sessions { 0 }
            let event = "UPDATE session SET last_used = 9999, version = version + 1 WHERE last_used = 1"
            try await schema.whileOpen(event) {
                let limits = SessionLimitSuite.cleanings[2].0
                let removed = try await store.removeSessions(exceeding: limits, at: .ms(10_000))
                #expect((3_999...4_000).contains(removed.evicted))
                #expect(removed.expired == 0)
            }
            #expect(try await schema.number("SELECT count(*) FROM session WHERE last_used = 9999") == 1)
        }
    }
}
