@Suite(.fiveMinutes, .serialized)
struct SharingTests {
    @Test func `a revocation waits for one with a lower number that is not committed yet`() async throws {
        try await TestSchema.withDatabase { schema, database in
            let ada = Account.ada
            try await database.add(ada)
            let revoking = try await schema.whileOpen(
                "UPDATE session_revocation_counter SET last = last + 1",
                "INSERT INTO session_revocation VALUES ('other', 1)"
            ) {
                let revoking = Task { try await database.revokeSessions(of: ada.id) }
                try await waitUntil { try await schema.number(Self.waitingRevocations) > 0 }
                #expect(try await database.revocations.isEmpty)
                return revoking
            }
            try await revoking.value
            #expect(try await database.revocations.map(\.account.text) == ["other", ada.id.text])
        }
    }

    /// Servers that know the lost ones would take it for one of them.
    @Test func `after a promotion that has lost revocations, a new one has a greater number than they had`()
        async throws
    {
        try await TestSchema.withDatabase { schema, database in
            let ada = Account.ada
            try await database.add(ada)
            try await database.revokeSessions(of: ada.id)
            let lost = try #require(try await database.revocations.last)
            try await schema.execute("DELETE FROM session_revocation")
            try await schema.execute("UPDATE session_revocation_counter SET last = 0")
            try await database.revokeSessions(of: ada.id)
            #expect(try await database.sessionRevocations(after: lost.number).map(\.account) == [ada.id])
        }
    }

    static let waitingRevocations = """
        SELECT count(*) FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND query LIKE '/* understudy revoke sessions */%'
        """
}
