@Suite(.fiveMinutes) struct DatabaseLeaseTests {
    @Test func `one holder at a time has the lease, and takes it again after a lost connection`() async throws {
        try await TestSchema.with { schema in
            try await withDatabase(schema.uri) { _ in }
            func lease(_ schema: TestSchema) throws -> DatabaseLease {
                DatabaseLease(try .test(schema.uri)) { PostgreSQLPool($0, logger: .silent) }
            }
            let (first, second) = (try lease(schema), try lease(schema))
            #expect(try await first.hold(isShared: false))
            #expect(try await first.hold(isShared: false))
            #expect(try await !second.hold(isShared: false))
            // In another schema, another server may have its sessions in memory.
            try await TestSchema.with { other in
                try await withDatabase(other.uri) { _ in }
                let third = try lease(other)
                #expect(try await third.hold(isShared: false))
                await third.release()
            }

            let holder = """
                SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid IN \
                (SELECT pid FROM pg_stat_activity WHERE query LIKE '%sessions in memory%' AND pid <> pg_backend_pid()) \
                AND objid::bigint = hashtextextended('understudy sessions in memory', 'session'::regclass::oid::bigint) & 4294967295
                """
            try await schema.execute("SELECT pg_terminate_backend(pid, 60000) FROM (\(holder)) AS holder")
            // The first call after the connection was lost may fail.
            if (try? await first.hold(isShared: false)) != true { #expect(try await first.hold(isShared: false)) }
            #expect(try await !second.hold(isShared: false))

            #expect(try await !second.hold(isShared: true))
            await first.release()
            let third = try lease(schema)
            #expect(try await second.hold(isShared: true))
            #expect(try await third.hold(isShared: true))
            await second.release()
            await third.release()
        }
    }
}
