import MetricsTestKit

@Suite(.fiveMinutes)
struct MetricsTests {
    @Test func `statements are timed, errors counted and connections measured`() async throws {
        let metrics = TestMetrics()
        try await withPool(factory: metrics) { pool in
            try await pool.execute(.one)
            _ = try await failure { try await pool.execute(.sql("SELECT 1/0")) }
            try await waitUntil { pool.statistics.idle == 1 }
            #expect(pool.statistics.inUse == 0)
            #expect(pool.statistics.waiting == 0)
        }
        let duration = "understudy_database_statement_duration_seconds"
        #expect(try metrics.expectTimer(duration, [("statement", "one")]).values.count == 1)
        #expect(try metrics.expectCounter("understudy_database_errors_total", [("kind", "server")]).values == [1])
    }
}
