@Suite(.fiveMinutes, .serialized)
struct SharingTests {
    @Test func `a revocation waits for one with a lower number that is not committed yet`() async throws {
        try await TestSchema.withDatabase { schema, database in
            let ada = Account.sample("ada")
            try await database.add(ada)
            let revoking = try await schema.whileOpen(
                "UPDATE session_revocation_counter SET last = last + 1",
                "INSERT INTO session_revocation VALUES ('other', 1)"
            ) {
                let revoking = Task { try await database.revokeSessions(of: ada.id) }
                try await waitUntil { try await schema.number(Self.waitingRevocations) > 0 }
                #expect(try await database.sessionRevocations(after: 0).isEmpty)
                return revoking
            }
            try await revoking.value
            #expect(try await database.sessionRevocations(after: 0).map(\.number) == [1, 2])
        }
    }

    static let waitingRevocations = """
        SELECT count(*) FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND query LIKE '/* understudy revoke sessions */%'
        """
}
